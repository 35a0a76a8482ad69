import { expect, test } from 'vitest'
import type { SubagentItem } from '@/api/types'
import type { Turn } from '@/stores/turn'
import { activityOf, runningSubagents } from './activity'
import { laterTurns, liveTurn, splitQueue, turnOfMessage, withDates } from './rows'

const turn = (messageId: number, rest: Partial<Turn> = {}): Turn => ({
  messageId, sessionId: 's', user: { id: messageId - 1, content: `q${messageId}`, createTime: '2026-12-01T10:00:00' },
  status: 'completed', content: '', thinking: '', todos: [], tools: [], subagents: [], pauses: [],
  createTime: '2026-12-01T10:00:00', ended: true, ...rest,
})
const item = (id: number, status: SubagentItem['status']): SubagentItem => ({ id, name: 'n', sourceType: 'clone', status, goal: '', sortOrder: id })
const batch = (...items: SubagentItem[]) => ({
  parentMessageId: 2, batchId: 'b', title: '', items, summary: { total: 0, queued: 0, running: 0, completed: 0, failed: 0, cancelled: 0 },
})
const ids = (turns: Turn[]) => turns.map(({ messageId }) => messageId)

test('what waits behind a live turn is no turn on the page yet', () => {
  const queued = { status: 'queued', ended: false } as const
  const { shown, queued: waiting } = splitQueue([turn(2), turn(4, { status: 'waiting', ended: false }), turn(6, queued), turn(8, queued)])
  expect([ids(shown), ids(waiting)]).toEqual([[2, 4], [6, 8]])
})

test('the first in line is on the page, also while it waits, and so is what began and was handed back', () => {
  const queued = { status: 'queued', ended: false } as const
  expect(ids(splitQueue([turn(2), turn(4, queued), turn(6, queued)]).shown)).toEqual([2, 4])
  expect(ids(splitQueue([turn(4, { status: 'running', ended: false }), turn(6, { ...queued, startedAt: 'then' })]).shown)).toEqual([4, 6])
  expect(splitQueue([turn(2)]).queued).toEqual([])
})

test('the first turn of each day has its date', () => {
  const next = turn(6, { user: { id: 5, content: '', createTime: '2026-12-02T00:01:00' } })
  const dates = (turns: Turn[], before?: Turn) => withDates(turns, before).map((row) => row.date)
  expect(dates([turn(2), turn(4), next])).toEqual(['2026-12-01T10:00:00', undefined, '2026-12-02T00:01:00'])
  expect(dates([turn(4), next], turn(2))).toEqual([undefined, '2026-12-02T00:01:00'])
})

test('an address names a turn by either of its messages', () => {
  const turns = [turn(2), turn(4)]
  expect([turnOfMessage(turns, 3)?.messageId, turnOfMessage(turns, 4)?.messageId, turnOfMessage(turns, 9)]).toEqual([4, 4, undefined])
  expect(laterTurns(turns, turn(2))).toBe(1)
})

test('what goes on, in a word', () => {
  const working = turn(4, { status: 'waiting', ended: false, subagents: [batch(item(1, 'running'), item(2, 'queued'), item(3, 'failed'))] })
  expect(activityOf([])).toEqual({ kind: 'idle' })
  expect(activityOf([turn(2), working])).toEqual({ kind: 'subagents', running: 1, waiting: 1 })
  expect(runningSubagents([turn(2), working])).toBe(1)
  expect(activityOf([turn(2, { status: 'paused', ended: false })])).toEqual({ kind: 'question' })
  expect(activityOf([turn(2, { status: 'running', ended: false })])).toEqual({ kind: 'answering' })
  expect(activityOf([turn(2, { status: 'failed' })])).toEqual({ kind: 'failed' })
  expect(activityOf([turn(2)])).toEqual({ kind: 'complete' })
  expect(liveTurn([turn(2)])).toBeUndefined()
})
