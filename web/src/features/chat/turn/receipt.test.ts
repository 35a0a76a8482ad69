// Time that was saved is work that went on at once, and never less than nothing.
import { expect, test } from 'vitest'
import { aBatch, anItem, aTurn } from '@/testing/turns'
import { receiptOf } from './receipt'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 10, 0, second)).toISOString()
const worked = (id: number, from: number, to: number) => anItem(id, { status: 'completed', startedAt: at(from), endedAt: at(to) })

test('two at once save what one alone would have taken', () => {
  const turn = aTurn({ startedAt: at(0), endedAt: at(40), subagents: [aBatch([worked(1, 5, 35), worked(2, 5, 25)])], usage: { inputTokens: 10, outputTokens: 5 } })
  expect(receiptOf(turn)).toMatchObject({ agents: 3, tokens: 15, wallMs: 40_000, workMs: 60_000, savedMs: 20_000 })
})

test('one after the other saves nothing', () => {
  const turn = aTurn({ startedAt: at(0), endedAt: at(40), subagents: [aBatch([worked(1, 5, 15), worked(2, 15, 25)])] })
  expect(receiptOf(turn)).toMatchObject({ workMs: 40_000, savedMs: 0 })
})

test('alone the work is the time', () => {
  expect(receiptOf(aTurn({ startedAt: at(0), endedAt: at(9) }))).toMatchObject({ agents: 1, wallMs: 9_000, workMs: 9_000, savedMs: 0 })
})

test('without times there is none', () => {
  expect(receiptOf(aTurn())).toBeUndefined()
  expect(receiptOf(aTurn({ startedAt: at(0), endedAt: at(9), ended: false }))).toBeUndefined()
})
