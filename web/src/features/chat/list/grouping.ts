// How the session list is divided: pinned first, then by the day of the last turn.
import type { Session } from '@/api/types'

export type GroupKey = 'pinned' | 'today' | 'week' | 'earlier'

export interface SessionGroup {
  key: GroupKey
  sessions: Session[]
}

const DAY = 86_400_000

function startOfDay(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0)
}

/** Keeps the order within a group; groups without sessions are left out. */
export function groupSessions(sessions: Session[], pinned: ReadonlySet<string>, now: number): SessionGroup[] {
  const today = startOfDay(now)
  // By calendar days: a week ago is the same whether it is morning or evening, and over a clock change.
  const week = startOfDay(today - 6 * DAY + DAY / 2)
  const groups: Record<GroupKey, Session[]> = { pinned: [], today: [], week: [], earlier: [] }
  for (const session of sessions) {
    const used = new Date(session.updateTime).getTime()
    const key = pinned.has(session.id) ? 'pinned' : used >= today ? 'today' : used >= week ? 'week' : 'earlier'
    groups[key].push(session)
  }
  return (Object.keys(groups) as GroupKey[])
    .filter((key) => groups[key].length > 0)
    .map((key) => ({ key, sessions: groups[key] }))
}
