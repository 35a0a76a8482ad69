// The session list as the page shows it, and what is done to its sessions.
import { useDebounceFn } from '@vueuse/core'
import { computed, ref } from 'vue'
import { useRouter } from 'vue-router'
import type { Session } from '@/api/types'
import { useSessions } from '@/stores/sessions'
import { useExport } from './export/useExport'
import type { RowAction } from './list/rowAction'
import { useNotice } from './useNotice'

export function useSessionsPage(activeId: () => string | undefined) {
  const store = useSessions()
  const router = useRouter()
  const notice = useNotice()
  const { run: exportSession } = useExport()

  const query = ref('')
  /** The session that is to be deleted, while that is asked. */
  const deleting = ref<Session>()
  const sessions = computed(() => store.ids.flatMap((id) => store.byId.get(id) ?? []))
  const pinned = computed(() => new Set(store.pinnedIds))

  const load = () => store.load({ q: query.value })
  const searchSoon = useDebounceFn(load, 200)
  function search(text: string): void {
    query.value = text
    void searchSoon()
  }
  const more = () => notice.guard(() => store.loadMore())
  async function act(session: Session, action: RowAction): Promise<void> {
    if (action.kind === 'delete') {
      deleting.value = session
      return
    }
    await notice.guard(async () => {
      if (action.kind === 'rename') await store.rename(session.id, action.title)
      else if (action.kind === 'pin') await store.pin(session.id, action.on)
      else await exportSession(session.id, action.format)
    })
  }
  function removed(id: string): void {
    if (activeId() === id) void router.replace({ name: 'new-chat' })
  }

  void load()
  store.keepUpToDate()
  return { store, sessions, pinned, query, deleting, load, search, more, act, removed }
}
