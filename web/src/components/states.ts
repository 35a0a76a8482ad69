// One vocabulary of states for all pages: what the server calls it, and how it looks.
import type { RunStatus, SubagentStatus } from '@/api/types'

export const STATES = [
  'pending',
  'queued',
  'running',
  'retrying',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'cancelling',
  'stale',
] as const
export type State = (typeof STATES)[number]

/** States in which something goes on. */
export function isLive(state: State): boolean {
  return state === 'running' || state === 'retrying' || state === 'cancelling'
}

export function stateOfRun(status: RunStatus): State {
  switch (status) {
    case 'held':
      return 'queued'
    case 'waiting':
      return 'running'
    default:
      return status
  }
}

export function stateOfSubagent(status: SubagentStatus): State {
  return status === 'timed_out' ? 'failed' : status
}
