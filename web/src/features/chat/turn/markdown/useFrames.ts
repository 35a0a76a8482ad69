// Runs work at most once a frame, and less often while the work is large.
import { onBeforeUnmount } from 'vue'

const LARGE_PAUSE_MS = 80

export function useFrames(work: () => void, isLarge: () => boolean) {
  let frame: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = -Infinity

  function cancel(): void {
    if (frame !== undefined) cancelAnimationFrame(frame)
    clearTimeout(timer)
    frame = timer = undefined
  }
  function now(): void {
    cancel()
    last = performance.now()
    work()
  }
  function soon(): void {
    if (frame !== undefined || timer !== undefined) return
    const wait = isLarge() ? last + LARGE_PAUSE_MS - performance.now() : 0
    const ask = () => {
      timer = undefined
      frame = requestAnimationFrame(now)
    }
    if (wait > 0) timer = setTimeout(ask, wait)
    else ask()
  }
  onBeforeUnmount(cancel)
  return { soon, now }
}
