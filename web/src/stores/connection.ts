// How this page hears from the server.
import { defineStore } from 'pinia'
import { useLiveChannel, type ConnectionState } from '@/api/live'
import { ref, watch } from 'vue'
import { useMe } from './me'

const CAUGHT_UP_MS = 3_000

export const useConnection = defineStore('connection', () => {
  const channel = useLiveChannel()
  const state = ref<ConnectionState>(channel.state)
  /** Attempts since the connection was lost. */
  const attempt = ref(0)
  /** After a reconnect, for a moment: how many events were missed and came. */
  const caughtUp = ref<number>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const me = useMe()
  watch(
    () => me.me,
    (now, before) => {
      if (now) channel.start()
      else if (before) channel.stop()
    },
    { immediate: true },
  )
  channel.onState((now, attempts) => {
    state.value = now
    attempt.value = attempts
  })
  channel.onCaughtUp((count) => {
    clearTimeout(timer)
    caughtUp.value = count
    timer = setTimeout(() => (caughtUp.value = undefined), CAUGHT_UP_MS)
  })

  return { state, attempt, caughtUp }
})
