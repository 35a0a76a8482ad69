// What of a session is on the page, and in which order: turns, the first of a day with its date, and
// apart from them the messages that wait for their turn.
import { isEnded, type Turn } from '@/stores/turn'

export interface ThreadRow {
  turn: Turn
  /** The turn is the first of this day. */
  date?: string
}

export interface SplitTurns {
  /** On the page. */
  shown: Turn[]
  /** Behind a live turn and not begun: chips above the composer. */
  queued: Turn[]
}

export function splitQueue(turns: Turn[]): SplitTurns {
  const firstLive = turns.findIndex((turn) => !isEnded(turn.status))
  if (firstLive < 0) return { shown: turns, queued: [] }
  const waits = (turn: Turn, n: number) => n > firstLive && turn.status === 'queued' && !turn.startedAt
  return {
    shown: turns.filter((turn, n) => !waits(turn, n)),
    queued: turns.filter(waits),
  }
}

/** The turn that works, waits or asks at present. */
export function liveTurn(turns: Turn[]): Turn | undefined {
  return turns.find((turn) => !isEnded(turn.status))
}

const timeOf = (turn: Turn) => turn.user?.createTime ?? turn.createTime
const dayOf = (turn: Turn | undefined) => (turn ? new Date(timeOf(turn)).toDateString() : undefined)

/** `before` is the turn before them, where there is one that is known. */
export function withDates(turns: Turn[], before?: Turn): ThreadRow[] {
  return turns.map((turn, n) => (dayOf(turn) === dayOf(turns[n - 1] ?? (n === 0 ? before : undefined)) ? { turn } : { turn, date: timeOf(turn) }))
}

/** The turn that an id in the address names: the user's message or the assistant's. */
export function turnOfMessage(turns: Turn[], id: number): Turn | undefined {
  return turns.find((turn) => turn.messageId === id || turn.user?.id === id)
}

/** How many turns would go if this one was sent anew: those after it. */
export function laterTurns(turns: Turn[], turn: Turn): number {
  const at = turns.findIndex((other) => other.messageId === turn.messageId)
  return at < 0 ? 0 : turns.length - at - 1
}
