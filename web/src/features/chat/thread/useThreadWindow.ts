// Which turns of a thread are mounted: the last ones always, earlier ones on demand. Those that were
// asked for are drawn by a virtual list, so that the page stays small however far back one reads.
import { computed, nextTick, ref, watch, type Ref } from 'vue'
import type { Turn } from '@/stores/turn'
import { turnOfMessage, withDates, type ThreadRow } from './rows'

export const RECENT = 30
/** How far the recent ones may grow while a session is open, before its oldest are let go. */
const GROWN = 60

export interface ThreadWindow {
  /** Drawn by the virtual list. */
  older: Ref<ThreadRow[]>
  recent: Ref<ThreadRow[]>
  hasMore: Ref<boolean>
  earlier: () => Promise<void>
  /** Brings the turn of a message into the mounted ones; none if the session has no such message. */
  reach: (messageId: number) => Promise<Turn | undefined>
}

export function useThreadWindow(
  turns: Ref<Turn[]>,
  hasEarlier: Ref<boolean>,
  loadEarlier: () => Promise<unknown>,
  following: Ref<boolean>,
): ThreadWindow {
  /** Ids, not indexes: those change when earlier turns are loaded. */
  const recentFrom = ref<number>()
  const olderFrom = ref<number>()

  const indexOf = (id: number | undefined) => (id === undefined ? -1 : turns.value.findIndex((turn) => turn.messageId === id))
  const recentIndex = computed(() => {
    const at = indexOf(recentFrom.value)
    return at >= 0 ? at : Math.max(0, turns.value.length - RECENT)
  })
  const olderIndex = computed(() => {
    const at = indexOf(olderFrom.value)
    return at >= 0 ? Math.min(at, recentIndex.value) : recentIndex.value
  })
  const rows = computed(() => withDates(turns.value.slice(olderIndex.value), turns.value[olderIndex.value - 1]))
  const older = computed(() => rows.value.slice(0, recentIndex.value - olderIndex.value))
  const recent = computed(() => rows.value.slice(recentIndex.value - olderIndex.value))
  const hasMore = computed(() => olderIndex.value > 0 || hasEarlier.value)

  watch(
    () => turns.value.length,
    (count) => {
      const shown = count - recentIndex.value
      const start = Math.max(0, count - RECENT)
      // Only while the end is followed: what a reader looks at is never taken away.
      if (recentFrom.value === undefined || indexOf(recentFrom.value) < 0 || (shown > GROWN && following.value)) {
        recentFrom.value = turns.value[start]?.messageId
      }
    },
    { immediate: true },
  )

  async function earlier(): Promise<void> {
    if (olderIndex.value < RECENT && hasEarlier.value) await loadEarlier()
    olderFrom.value = turns.value[Math.max(0, olderIndex.value - RECENT)]?.messageId
    await nextTick()
  }

  async function reach(messageId: number): Promise<Turn | undefined> {
    for (;;) {
      const found = turnOfMessage(turns.value, messageId)
      const first = turns.value[0]
      if (found) {
        const at = indexOf(found.messageId)
        if (at < olderIndex.value) olderFrom.value = turns.value[Math.max(0, at - 5)]?.messageId
        await nextTick()
        return found
      }
      // Ids order the session: a message that is younger than the first one loaded is not there.
      if (!hasEarlier.value || !first || messageId > first.messageId) return undefined
      await loadEarlier()
      if (turns.value[0]?.messageId === first.messageId) return undefined
    }
  }

  return { older, recent, hasMore, earlier, reach }
}
