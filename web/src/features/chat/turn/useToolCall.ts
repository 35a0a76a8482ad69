// A tool call's arguments and result in full, fetched when they are asked for.
import { ref, shallowRef, watch } from 'vue'
import { api, data } from '@/api/client'
import type { ToolCallDetail } from '@/api/types'

export function useToolCall(runId: () => number | undefined, toolCallId: () => string) {
  const whole = shallowRef<ToolCallDetail>()
  const loading = ref(false)
  const problem = shallowRef<unknown>()

  async function load(): Promise<void> {
    const id = runId()
    if (id === undefined || loading.value) return
    const call = toolCallId()
    loading.value = true
    problem.value = undefined
    try {
      const path = '/api/runs/{id}/tool-calls/{toolCallId}' as '/api/runs/{id}'
      const loaded = (await data(api.GET(path, { params: { path: { id, toolCallId: call } as { id: number } } }))) as unknown as ToolCallDetail
      if (call === toolCallId() && id === runId()) whole.value = loaded
    } catch (cause) {
      if (call === toolCallId()) problem.value = cause
    } finally {
      loading.value = false
    }
  }
  watch([runId, toolCallId], () => {
    whole.value = problem.value = undefined
  })
  return { whole, loading, problem, load }
}
