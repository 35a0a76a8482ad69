// Questions that wait for a person, of all sessions that one sees.
import { useDocumentVisibility, useIntervalFn } from '@vueuse/core'
import { defineStore } from 'pinia'
import { computed, ref, watch } from 'vue'
import { Problem, Unreachable, api, data } from '@/api/client'
import { useLiveChannel } from '@/api/live'
import type { Pause, PauseStatus } from '@/api/types'

const EVERY_MS = 15_000

export type AnswerOutcome =
  | { kind: 'answered'; pause: Pause }
  /** Somebody gave another answer before. */
  | { kind: 'answered_otherwise'; pause?: Pause }
  /** It takes no answer any more: `expired` or `cancelled`. */
  | { kind: 'over'; state?: PauseStatus }

export const usePauses = defineStore('pauses', () => {
  /** Oldest first. */
  const open = ref<Pause[]>([])
  const loaded = ref(false)
  const error = ref<Problem>()
  const count = computed(() => open.value.length)

  async function load(): Promise<void> {
    try {
      const query = { status: 'open' as const, limit: 200 }
      const { items } = await data(api.GET('/api/pauses', { params: { query } }))
      open.value = items.sort((a, b) => a.pauseId - b.pauseId)
      loaded.value = true
      error.value = undefined
    } catch (cause) {
      if (cause instanceof Problem) error.value = cause
      else if (!(cause instanceof Unreachable)) throw cause
    }
  }

  function take(pauseId: number): void {
    open.value = open.value.filter((pause) => pause.pauseId !== pauseId)
  }

  /** Gives an answer; tells also when it came too late. What else goes wrong is thrown. */
  async function answer(pauseId: number, text: string): Promise<AnswerOutcome> {
    const params = { path: { id: pauseId } }
    try {
      const pause = await data(api.POST('/api/pauses/{id}/answer', { params, body: { answer: text } }))
      take(pauseId)
      return { kind: 'answered', pause }
    } catch (cause) {
      if (!(cause instanceof Problem)) throw cause
      if (cause.code === 'pause_answered') {
        take(pauseId)
        return { kind: 'answered_otherwise', pause: cause.body?.pause ?? undefined }
      }
      if (cause.code !== 'pause_over') throw cause
      take(pauseId)
      return { kind: 'over', state: cause.body?.state ?? undefined }
    }
  }

  /** Keeps the list up to date while somebody looks. Called once, by whatever shows the count. */
  function keepUpToDate(): void {
    const visibility = useDocumentVisibility()
    const { pause, resume } = useIntervalFn(() => void load(), EVERY_MS, { immediateCallback: true })
    watch(visibility, (now) => (now === 'hidden' ? pause() : resume()))
    useLiveChannel().onEvents((_, events) => {
      if (events.some(({ type }) => type === 'clarify_request' || type === 'pause_answered')) void load()
    })
  }

  return { open, count, loaded, error, load, answer, keepUpToDate }
})
