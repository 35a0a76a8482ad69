// What goes on in a session, in few words: for the header and for screen readers.
import type { SubagentItem } from '@/api/types'
import type { Turn } from '@/stores/turn'
import { liveTurn } from './rows'

function subagents(turn: Turn | undefined): SubagentItem[] {
  return turn?.subagents.flatMap((batch) => batch.items) ?? []
}

export function runningSubagents(turns: Turn[]): number {
  return subagents(liveTurn(turns)).filter((item) => item.status === 'running').length
}

export type Activity =
  | { kind: 'idle' }
  | { kind: 'queued' | 'answering' | 'question' }
  | { kind: 'subagents'; running: number; waiting: number }
  | { kind: 'complete' | 'failed' | 'cancelled' }

/** What the last turn on the page does or how it ended. */
export function activityOf(turns: Turn[]): Activity {
  const live = liveTurn(turns)
  if (!live) {
    const last = turns.at(-1)
    if (!last) return { kind: 'idle' }
    return { kind: last.status === 'failed' ? 'failed' : last.status === 'cancelled' ? 'cancelled' : 'complete' }
  }
  if (live.status === 'paused' || live.pauses.length > 0) return { kind: 'question' }
  if (live.status === 'queued' || live.status === 'held') return { kind: 'queued' }
  const items = subagents(live)
  const running = items.filter((item) => item.status === 'running').length
  const waiting = items.filter((item) => item.status === 'queued').length
  if (running + waiting > 0) return { kind: 'subagents', running, waiting }
  return { kind: 'answering' }
}
