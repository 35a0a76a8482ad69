// Why a run waits, asked again while it does.
import { useDocumentVisibility, useIntervalFn } from '@vueuse/core'
import { onBeforeUnmount, shallowRef, watch, type Ref } from 'vue'
import { api, data } from '@/api/client'
import type { Why } from '@/api/types'

const EVERY_MS = 5_000

export function useWhy(runId: Readonly<Ref<number | undefined>>, reason: Readonly<Ref<unknown>>) {
  const why = shallowRef<Why>()
  const visibility = useDocumentVisibility()
  let asked = 0

  async function ask(): Promise<void> {
    const id = runId.value
    if (id === undefined || visibility.value === 'hidden') return
    const turn = ++asked
    try {
      const run = await data(api.GET('/api/runs/{id}', { params: { path: { id } } }))
      if (turn === asked) why.value = run.why ?? undefined
    } catch {
      // The reason that came with the event is shown instead.
      if (turn === asked) why.value = undefined
    }
  }
  useIntervalFn(ask, EVERY_MS)
  watch([runId, reason], ask, { immediate: true })
  onBeforeUnmount(() => (asked += 1))
  return why
}
