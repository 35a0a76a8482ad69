// What of a session is on the page, and in which order: date lines, turns, and apart from them the
// messages that wait for their turn.
import { isEnded, type Turn } from '@/stores/turn'

export type ThreadRow = { key: string; kind: 'date'; at: string } | { key: string; kind: 'turn'; turn: Turn }

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

/** Turns with a line before each that is the first of its day. */
export function withDates(turns: Turn[]): ThreadRow[] {
  const rows: ThreadRow[] = []
  let day = ''
  for (const turn of turns) {
    const at = turn.user?.createTime ?? turn.createTime
    const thisDay = new Date(at).toDateString()
    if (thisDay !== day) rows.push({ key: `day-${turn.messageId}`, kind: 'date', at })
    day = thisDay
    rows.push({ key: `turn-${turn.messageId}`, kind: 'turn', turn })
  }
  return rows
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
