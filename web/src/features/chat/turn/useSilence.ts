// Whether nothing has been heard from the server for so long that nobody knows what goes on there.
import { ref, watch, onBeforeUnmount } from 'vue'
import { useConnection } from '@/stores/connection'

const AFTER_MS = 5_000

export function useSilence() {
  const connection = useConnection()
  const silent = ref(false)
  let timer: ReturnType<typeof setTimeout> | undefined
  watch(
    () => connection.state === 'online' || connection.state === 'polling',
    (heard) => {
      clearTimeout(timer)
      if (heard) silent.value = false
      else timer = setTimeout(() => (silent.value = true), AFTER_MS)
    },
    { immediate: true },
  )
  onBeforeUnmount(() => clearTimeout(timer))
  return silent
}
