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
      const loaded = await data(api.GET('/api/runs/{id}/tool-calls/{toolCallId}', { params: { path: { id, toolCallId: call } } }))
      // As text it would come as a download only.
      if (call === toolCallId() && id === runId() && typeof loaded !== 'string') whole.value = loaded
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
