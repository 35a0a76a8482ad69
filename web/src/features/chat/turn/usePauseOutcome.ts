// What became of a question: asked of the server as soon as it takes no answer any more, so that nobody
// reads "answered" where the answer came too late or somebody else's counted.
import { onBeforeUnmount, ref, shallowRef, watch, type Ref } from 'vue'
import { api, data } from '@/api/client'
import type { OpenPause, Pause } from '@/api/types'

/** So long an answer may be on its way until the form is given back. */
const PATIENCE_MS = 15_000

export function usePauseOutcome(pause: Readonly<Ref<OpenPause>>, open: Readonly<Ref<boolean>>) {
  const outcome = shallowRef<Pick<Pause, 'status' | 'answer'>>()
  const sending = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined

  async function ask(): Promise<void> {
    try {
      const { status, answer } = await data(api.GET('/api/pauses/{id}', { params: { path: { id: pause.value.pauseId } } }))
      if (status !== 'open') outcome.value = { status, answer }
    } catch {
      // Without an answer of the server nothing is said about it.
    }
  }
  function sent(): void {
    sending.value = true
    clearTimeout(timer)
    timer = setTimeout(() => {
      sending.value = false
      void ask()
    }, PATIENCE_MS)
  }
  watch(
    open,
    (isOpen) => {
      if (isOpen) return
      clearTimeout(timer)
      sending.value = false
      void ask()
    },
    { immediate: true },
  )
  onBeforeUnmount(() => clearTimeout(timer))
  return { outcome, sending, sent }
}
