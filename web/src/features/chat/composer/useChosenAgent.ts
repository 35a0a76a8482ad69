// Whom a new chat is with: the one in the address, the one chosen last in this browser, else the first.
import { useStorage } from '@vueuse/core'
import { ref, watch, type Ref } from 'vue'
import { api, data } from '@/api/client'
import type { ChatAgent } from '@/api/types'
import { useMe } from '@/stores/me'
import { chatAgents } from './useAgentSearch'

/** Of a page. */
const MOST_CARDS = 200
const lastAgent = useStorage<number>('neta.agent', 0)

export function useChosenAgent(wanted: Ref<number | undefined>) {
  const agent = ref<ChatAgent>()
  /** There is none to talk to; not known before the first answer. */
  const none = ref(false)

  async function byId(id: number): Promise<ChatAgent | undefined> {
    if (!id) return undefined
    try {
      if (!useMe().may('agent:view')) return (await chatAgents('', MOST_CARDS)).items.find((card) => card.id === id)
      return await data(api.GET('/api/agents/{id}', { params: { path: { id } } }))
    } catch {
      return undefined
    }
  }
  async function first(): Promise<ChatAgent | undefined> {
    return (await chatAgents('', 1)).items[0]
  }
  async function load(): Promise<void> {
    try {
      agent.value = (await byId(wanted.value ?? lastAgent.value)) ?? (await first())
      none.value = agent.value === undefined
    } catch {
      // Not reached: the server takes its first agent where none is named.
    }
  }
  function choose(chosen: ChatAgent): void {
    agent.value = chosen
    lastAgent.value = chosen.id
  }
  watch(wanted, () => void load(), { immediate: true })
  return { agent, none, choose, load }
}
