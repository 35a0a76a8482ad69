// The server's time, ticking once a second while somebody looks. The offset of this machine's clock is
// measured from the Date of answers.
import { useIntervalFn, useDocumentVisibility } from '@vueuse/core'
import { effectScope, readonly, ref, watch } from 'vue'

const offset = ref(0)
const now = ref(Date.now())
let started = false

/** Tells what the server's clock showed in an answer that has just come. */
export function noteServerTime(serverMs: number, localMs = Date.now()): void {
  if (Number.isFinite(serverMs)) offset.value = serverMs - localMs
}

/** The server's time in ms, now. */
export function serverNow(): number {
  return Date.now() + offset.value
}

/** Ticks for all, whoever asked first: that one may leave long before the others. */
function start(): void {
  effectScope(true).run(() => {
    const visibility = useDocumentVisibility()
    const { pause, resume } = useIntervalFn(() => (now.value = serverNow()), 1000, { immediate: true })
    watch(visibility, (state) => {
      if (state === 'hidden') return pause()
      now.value = serverNow()
      resume()
    })
  })
}

export function useClock() {
  if (!started) {
    started = true
    start()
  }
  return { now: readonly(now) }
}
