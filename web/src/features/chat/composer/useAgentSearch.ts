// Agents by a search text, page by page.
import { ref } from 'vue'
import { api, data } from '@/api/client'
import type { ChatAgent } from '@/api/types'
import { useMe } from '@/stores/me'

const PAGE = 30

/** A page of those that may be talked to; who may not look at agents is told their cards. */
export async function chatAgents(q: string, limit: number, cursor?: string): Promise<{ items: ChatAgent[]; nextCursor?: string | null }> {
  if (useMe().may('agent:view')) return data(api.GET('/api/agents', { params: { query: { q: q || undefined, published: true, limit, cursor } } }))
  const cards = await data(api.GET('/api/agent-cards', { params: { query: { limit, cursor } } }))
  const fits = (text: string) => text.toLowerCase().includes(q.toLowerCase())
  return { ...cards, items: cards.items.filter((card) => card.published && (fits(card.name) || fits(card.description))) }
}

export function useAgentSearch() {
  const query = ref('')
  const agents = ref<ChatAgent[]>([])
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
      const page = await chatAgents(query.value, PAGE, first ? undefined : cursor)
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
