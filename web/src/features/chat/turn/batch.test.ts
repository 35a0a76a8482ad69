// A batch as it stands, from its rows.
import { expect, test } from 'vitest'
import { aBatch, anItem } from '@/testing/turns'
import { aheadOf, countsOf, firstLine, firstRows, lastLine, spanOf, statesOf } from './batch'

test('what is announced and not here yet waits', () => {
  const batch = aBatch([anItem(1), anItem(2, { status: 'timed_out' })], { summary: { total: 4, queued: 4, running: 0, completed: 0, failed: 0, cancelled: 0 } })
  expect(countsOf(batch)).toEqual({ total: 4, queued: 2, running: 1, completed: 0, failed: 1, cancelled: 0 })
  expect(statesOf(batch)).toEqual(['running', 'failed', 'queued', 'queued'])
})

test('rows stand in their order, whatever order they came in', () => {
  expect(statesOf(aBatch([anItem(3, { status: 'queued' }), anItem(1, { status: 'completed' }), anItem(2)]))).toEqual(['completed', 'running', 'queued'])
})

test('six rows stay six; of more, what runs and what failed is seen', () => {
  const six = [1, 2, 3, 4, 5, 6].map((id) => anItem(id))
  expect(firstRows(six)).toHaveLength(6)
  const many = [...Array(12).keys()].map((id) => anItem(id, { status: id === 9 ? 'failed' : id === 11 ? 'running' : 'completed' }))
  expect(firstRows(many).map((item) => item.id)).toEqual([0, 1, 2, 3, 9, 11])
  expect(firstRows([...Array(9).keys()].map((id) => anItem(id)))).toHaveLength(9)
})

test('only those that wait before it are ahead', () => {
  const waiting = anItem(5, { status: 'queued' })
  expect(aheadOf(aBatch([anItem(1), anItem(2, { status: 'queued' }), anItem(4, { status: 'queued' }), waiting, anItem(6, { status: 'queued' })]), waiting)).toBe(2)
})

test('the time runs until the last one ended', () => {
  const first = anItem(1, { status: 'completed', startedAt: '2026-01-01T10:00:00Z', endedAt: '2026-01-01T10:00:30Z' })
  const second = anItem(2, { startedAt: '2026-01-01T10:00:10Z' })
  expect(spanOf(aBatch([anItem(1, { status: 'queued' })]))).toBeUndefined()
  expect(spanOf(aBatch([first, second]))).toEqual({ from: first.startedAt })
  const ended = { ...second, status: 'completed' as const, endedAt: '2026-01-01T10:00:20Z' }
  expect(spanOf(aBatch([first, ended]))).toEqual({ from: first.startedAt, to: first.endedAt })
})

test('lines', () => {
  expect(firstLine('\n  \n first\nsecond')).toBe('first')
  expect(firstLine(undefined)).toBe('')
  expect(lastLine('one\ntwo \n\n')).toBe('two')
})
