// What was typed and not sent, for each session. Kept in this browser through reload, another session
// and an expired login; gone only when the message was handed over.
import { onScopeDispose, ref, watch, type Ref } from 'vue'
import { useMe } from '@/stores/me'

const PREFIX = 'neta.draft.'
const NEW = 'new'
/** Where the browser's store is full or forbidden, drafts last as long as the page. */
const memory = new Map<string, string>()

/** The one place that knows a draft's name: it is its writer's; no session yet is a place of its own. */
export function draftKey(sessionId: string | undefined): string {
  const { me } = useMe()
  return `${PREFIX}${me ? `${me.tenant.id}:${me.user?.id ?? me.actor}` : ''}.${sessionId ?? NEW}`
}

export function readDraft(sessionId: string | undefined): string {
  const key = draftKey(sessionId)
  const held = memory.get(key)
  if (held !== undefined) return held
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

export function writeDraft(sessionId: string | undefined, text: string): void {
  const key = draftKey(sessionId)
  try {
    if (text === '') localStorage.removeItem(key)
    else localStorage.setItem(key, text)
    memory.delete(key)
  } catch {
    memory.set(key, text)
  }
}

/** The text of the composer: follows the session, and other tabs where they sent what is typed here. */
export function useDraft(sessionId: Ref<string | undefined>, begun?: Ref<string | undefined>): Ref<string> {
  const text = ref(readDraft(sessionId.value))
  watch(
    sessionId,
    (id, before) => {
      // What is typed while a new chat gets its address belongs to that chat.
      const goesAlong = before === undefined && id !== undefined && id === begun?.value && text.value !== ''
      if (goesAlong) {
        writeDraft(undefined, '')
        writeDraft(id, text.value)
      } else text.value = readDraft(id)
    },
    { flush: 'sync' },
  )
  // Written as it is typed: nothing is to be lost when the page goes away.
  watch(text, (now) => writeDraft(sessionId.value, now), { flush: 'sync' })

  const onStorage = (event: StorageEvent) => {
    if (event.key !== draftKey(sessionId.value)) return
    // Sent there: it is not to be sent here again. What is typed there stays there.
    if (event.newValue === null && text.value === event.oldValue) text.value = ''
  }
  window.addEventListener('storage', onStorage)
  onScopeDispose(() => window.removeEventListener('storage', onStorage))
  return text
}
