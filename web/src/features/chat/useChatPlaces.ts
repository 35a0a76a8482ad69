// What of a chat stands in its address: the open drawer, the message to go to, the agent of a new one.
import { computed } from 'vue'
import { useRoute, useRouter, type LocationQueryValue } from 'vue-router'

function numberOf(value: LocationQueryValue | LocationQueryValue[] | undefined): number | undefined {
  const number = Number(value)
  return typeof value === 'string' && Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export function useChatPlaces() {
  const route = useRoute()
  const router = useRouter()

  const subagentId = computed(() => numberOf(route.query['sub']))
  const agentId = computed(() => numberOf(route.query['agent']))
  const tool = computed(() => {
    const runId = numberOf(route.query['run'])
    const toolCallId = route.query['tool']
    return runId !== undefined && typeof toolCallId === 'string' ? { runId, toolCallId } : undefined
  })
  const target = computed(() => numberOf(/^#m(?::|%3[Aa])(\d+)$/.exec(route.hash)?.[1]))

  /** The same page with another drawer; none closes it. */
  function drawer(query: { sub?: number; run?: number; tool?: string }): void {
    const { sub: _sub, run: _run, tool: _tool, ...rest } = route.query
    void router.push({ params: route.params, query: { ...rest, ...query }, hash: route.hash })
  }
  function toMessage(messageId: number): void {
    void router.push({ params: route.params, query: route.query, hash: `#m:${messageId}` })
  }
  return {
    subagentId,
    agentId,
    tool,
    target,
    openSubagent: (sub: number) => drawer({ sub }),
    openTool: (run: number, tool: string) => drawer({ run, tool }),
    closeDrawer: () => drawer({}),
    toMessage,
  }
}
