// How much came since the reader left the end of the thread.
import { computed, ref, watch, type Ref } from 'vue'
import type { Turn } from '@/stores/turn'

interface Seen {
  messageId: number
  /** Whether the last turn seen was complete. */
  ended: boolean
}

export function useUnread(turns: Ref<Turn[]>, following: Ref<boolean>): Ref<number> {
  const seen = ref<Seen>()
  watch(
    following,
    (follows) => {
      const last = turns.value.at(-1)
      seen.value = follows || !last ? undefined : { messageId: last.messageId, ended: last.ended }
    },
    { immediate: true, flush: 'sync' },
  )
  return computed(() => {
    const mark = seen.value
    if (!mark) return 0
    const at = turns.value.findIndex((turn) => turn.messageId === mark.messageId)
    if (at < 0) return 0
    // An answer that was being written when the reader left counts once it is there.
    const finished = !mark.ended && turns.value[at]?.ended ? 1 : 0
    return turns.value.length - at - 1 + finished
  })
}
