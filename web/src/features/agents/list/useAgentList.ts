// The agents that a search finds, page by page; filters and view stand in the address.
import { refDebounced } from '@vueuse/core'
import { computed, ref, shallowRef, watch } from 'vue'
import { useRoute, useRouter } from 'vue-router'
import type { Agent, AgentCard } from '@/api/types'
import { useAgents } from '@/stores/agents'

export const VIEWS = ['cards', 'table'] as const
export type View = (typeof VIEWS)[number]
export type Publication = 'all' | 'yes' | 'no'
export type Listed = Agent | AgentCard

const PAGE = 48

/** Whether it is known as its keepers know it. */
export function isAgent(listed: Listed): listed is Agent {
  return 'version' in listed
}

/** `keeper`: whether one sees agents with their values, or only those that one may talk to. */
export function useAgentList(keeper: () => boolean) {
  const route = useRoute()
  const router = useRouter()
  const agents = useAgents()
  const put = (change: Record<string, string | undefined>) => void router.replace({ query: { ...route.query, ...change } })
  const said = (name: string) => (typeof route.query[name] === 'string' ? route.query[name] : '')

  const view = computed<View>({
    get: () => (said('view') === 'table' && keeper() ? 'table' : 'cards'),
    set: (value) => put({ view: value === 'cards' ? undefined : value }),
  })
  const published = computed<Publication>({
    get: () => (said('published') === 'yes' || said('published') === 'no' ? (said('published') as Publication) : 'all'),
    set: (value) => put({ published: value === 'all' ? undefined : value }),
  })
  const query = ref(said('q'))
  const asked = refDebounced(query, 220)
  watch(asked, (q) => put({ q: q.trim() || undefined }))
  watch(
    () => said('q'),
    (q) => {
      if (q !== query.value.trim()) query.value = q
    },
  )

  const items = shallowRef<Listed[]>([])
  const cursor = ref<string>()
  const loading = ref(false)
  const loaded = ref(false)
  const error = shallowRef<unknown>()
  const filtered = computed(() => said('q') !== '' || published.value !== 'all')
  let abort = new AbortController()

  async function load(more = false): Promise<void> {
    abort.abort()
    const mine = (abort = new AbortController())
    loading.value = true
    const wanted = {
      q: said('q') || undefined,
      published: published.value === 'all' ? undefined : published.value === 'yes',
      cursor: more ? cursor.value : undefined,
      limit: PAGE,
    }
    try {
      const page = keeper() ? await agents.page(wanted, mine.signal) : await agents.cards(wanted.q, mine.signal)
      items.value = more ? [...items.value, ...page.items] : page.items
      cursor.value = page.nextCursor
      loaded.value = true
      error.value = undefined
    } catch (cause) {
      if (!mine.signal.aborted) error.value = cause
    }
    if (!mine.signal.aborted) loading.value = false
  }
  watch([() => said('q'), published, keeper], () => load(), { immediate: true })

  function drop(id: number): void {
    items.value = items.value.filter((item) => item.id !== id)
  }
  function clear(): void {
    query.value = ''
    put({ q: undefined, published: undefined })
  }
  return { view, published, query, items, cursor, loading, loaded, error, filtered, load, drop, clear }
}
