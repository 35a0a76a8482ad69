// Keeps one from leaving with unsaved changes: asks within the application, and lets the browser ask
// when the page is reloaded or closed.
import { useEventListener } from '@vueuse/core'
import { ref } from 'vue'
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router'

export function useLeaveGuard(dirty: () => boolean) {
  /** Answers the question that is on the page. */
  const asking = ref<(leave: boolean) => void>()
  /** A move of the application's own that is not to be asked about. */
  let free = false

  async function mayLeave(): Promise<boolean> {
    if (free || !dirty()) return true
    const leave = await new Promise<boolean>((resolve) => (asking.value = resolve))
    asking.value = undefined
    return leave
  }
  onBeforeRouteLeave(mayLeave)
  onBeforeRouteUpdate((to, from) => (to.params['id'] === from.params['id'] ? true : mayLeave()))
  useEventListener(window, 'beforeunload', (event: BeforeUnloadEvent) => {
    if (dirty()) event.preventDefault()
  })

  /** Goes somewhere without a question, as to the address of what was just made. */
  async function freely(go: () => Promise<unknown>): Promise<void> {
    free = true
    try {
      await go()
    } finally {
      free = false
    }
  }
  return { asking, freely }
}
