// The questions of a turn: those that wait, and those that waited while this page looked, so that what
// came of them can be read where they were.
import { computed, shallowReactive, watch } from 'vue'
import type { OpenPause } from '@/api/types'
import type { Turn } from '@/stores/turn'

export interface AskedQuestion {
  pause: OpenPause
  open: boolean
}

export function useQuestions(turn: () => Turn) {
  const seen = shallowReactive(new Map<number, OpenPause>())
  watch(
    () => turn().messageId,
    () => seen.clear(),
  )
  watch(
    () => turn().pauses,
    (pauses) => pauses.forEach((pause) => seen.set(pause.pauseId, pause)),
    { immediate: true, deep: true },
  )
  return computed<AskedQuestion[]>(() => {
    const open = new Set(turn().ended ? [] : turn().pauses.map((pause) => pause.pauseId))
    return [...seen.values()].map((pause) => ({ pause, open: open.has(pause.pauseId) }))
  })
}
