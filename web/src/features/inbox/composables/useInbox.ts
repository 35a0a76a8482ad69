// What the inbox shows: everything that waits, oldest first, and what came of it while one looked. A
// question that somebody else answers, or that expires, doesn't vanish under one's hands.
import { storeToRefs } from 'pinia'
import { computed, reactive, ref, watch } from 'vue'
import type { Pause } from '@/api/types'
import { usePauses } from '@/stores/pauses'

export interface InboxEntry {
  pause: Pause
  open: boolean
  /** Why an answer didn't arrive, and which. */
  failure?: { error: unknown; answer: string }
}

export function useInbox() {
  const pauses = usePauses()
  const { open, loaded, error } = storeToRefs(pauses)
  const seen = reactive(new Map<number, Pause>())
  const failures = reactive(new Map<number, InboxEntry['failure']>())
  const refreshing = ref(false)

  watch(open, (now) => now.forEach((pause) => seen.set(pause.pauseId, pause)), { immediate: true })

  const entries = computed<InboxEntry[]>(() => {
    const waiting = new Set(open.value.map((pause) => pause.pauseId))
    return [...seen.values()]
      .sort((a, b) => a.pauseId - b.pauseId)
      .map((pause) => ({ pause, open: waiting.has(pause.pauseId), failure: failures.get(pause.pauseId) }))
  })

  async function answer(pause: Pause, text: string): Promise<void> {
    failures.delete(pause.pauseId)
    try {
      await pauses.answer(pause.pauseId, text)
    } catch (cause) {
      failures.set(pause.pauseId, { error: cause, answer: text })
    }
  }
  async function load(): Promise<void> {
    refreshing.value = true
    await pauses.load()
    refreshing.value = false
  }
  /** Puts away what is over. */
  function clear(): void {
    for (const { pause, open: waits } of entries.value) if (!waits) seen.delete(pause.pauseId)
  }
  return { entries, loaded, error, refreshing, answer, load, clear }
}
