// What subagents at work are at, by their own streams; looked at twice a second, so that many streams
// cost no more than one.
import { useIntervalFn } from '@vueuse/core'
import { onBeforeUnmount, shallowRef, watch } from 'vue'
import { useTurns, type SubagentLive } from '@/stores/turns'
import { lastLine } from './batch'
import { argumentLine } from './toolCalls'

const EVERY_MS = 500

/** The last thing that it did. */
export function activityOf(stream: SubagentLive | undefined): string {
  if (!stream) return ''
  const tool = stream.tools.findLast((call) => call.status === 'running')
  if (tool) return [tool.name, argumentLine(tool.arguments)].filter(Boolean).join(' · ')
  return lastLine(stream.content) || lastLine(stream.thinking)
}

/** `ids`: the subagents that are shown and work; none while nobody sees them. */
export function useActivity(sessionId: () => string, ids: () => number[]) {
  const turns = useTurns()
  const activities = shallowRef<ReadonlyMap<number, string>>(new Map())
  let watched: string | undefined

  function follow(session: string | undefined): void {
    if (session === watched) return
    if (watched !== undefined) turns.watchSubagents(watched, false)
    if (session !== undefined) turns.watchSubagents(session, true)
    watched = session
  }
  const { pause, resume } = useIntervalFn(
    () => {
      activities.value = new Map(ids().map((id) => [id, activityOf(turns.subagentLive(id))]))
    },
    EVERY_MS,
    { immediate: false },
  )
  watch(
    () => (ids().length > 0 ? sessionId() : undefined),
    (session) => {
      follow(session)
      if (session === undefined) pause()
      else resume()
    },
    { immediate: true },
  )
  onBeforeUnmount(() => follow(undefined))
  return activities
}
