// Agents by a search text, page by page.
import { ref } from 'vue'
import { api, data } from '@/api/client'
import type { Agent } from '@/api/types'

const PAGE = 30

export function useAgentSearch() {
  const query = ref('')
  const agents = ref<Agent[]>([])
  const loading = ref(false)
  const failed = ref(false)
  const hasMore = ref(false)
  let cursor: string | undefined
  /** Only the latest request counts, in whichever order they are answered. */
  let latest = 0

  async function fetchPage(first: boolean): Promise<void> {
    const mine = ++latest
    loading.value = true
    failed.value = false
    try {
      const page = await data(
        api.GET('/api/agents', {
          params: { query: { q: query.value || undefined, published: true, limit: PAGE, cursor: first ? undefined : cursor } },
        }),
      )
      if (mine !== latest) return
      agents.value = first ? page.items : [...agents.value, ...page.items]
      cursor = page.nextCursor ?? undefined
      hasMore.value = cursor !== undefined
    } catch {
      if (mine === latest) failed.value = true
    } finally {
      if (mine === latest) loading.value = false
    }
  }
  function search(text: string): Promise<void> {
    query.value = text
    return fetchPage(true)
  }
  async function more(): Promise<void> {
    if (!loading.value && hasMore.value) await fetchPage(false)
  }
  return { query, agents, loading, failed, hasMore, search, more }
}
