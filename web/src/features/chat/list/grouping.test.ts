import { expect, test } from 'vitest'
import type { Session } from '@/api/types'
import { groupSessions } from './grouping'

const now = new Date('2026-12-01T10:00:00').getTime()
const at = (id: string, local: string): Session => ({
  id,
  kind: 'chat',
  title: id,
  createTime: new Date(local).toISOString(),
  updateTime: new Date(local).toISOString(),
  pinned: false,
  openPauses: 0,
})
const shape = (sessions: Session[], pinned: string[] = []) =>
  Object.fromEntries(groupSessions(sessions, new Set(pinned), now).map(({ key, sessions: list }) => [key, list.map(({ id }) => id)]))

test('days are calendar days of the reader', () => {
  const sessions = [
    at('now', '2026-12-01T09:59:00'),
    at('midnight', '2026-12-01T00:00:00'),
    at('late yesterday', '2026-11-30T23:59:59'),
    at('six days', '2026-11-25T00:00:00'),
    at('a week', '2026-11-24T23:59:59'),
  ]
  expect(shape(sessions)).toEqual({
    today: ['now', 'midnight'],
    week: ['late yesterday', 'six days'],
    earlier: ['a week'],
  })
})

test('what is pinned comes first, once, and empty groups are left out', () => {
  expect(shape([at('a', '2026-12-01T09:00:00'), at('b', '2026-01-01T09:00:00')], ['b'])).toEqual({ pinned: ['b'], today: ['a'] })
  expect(groupSessions([at('a', '2026-12-01T09:00:00'), at('b', '2026-01-01T09:00:00')], new Set(['b']), now)[0]?.key).toBe('pinned')
  expect(shape([])).toEqual({})
})
