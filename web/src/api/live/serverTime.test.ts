import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { noteServerTime, serverNow } from '@/composables/useClock'
import { noteAnswer, noteEvent } from './serverTime'

const NOON = Date.parse('2026-12-01T12:00:00Z')

beforeEach(() => {
  vi.useFakeTimers({ now: NOON })
  noteServerTime(NOON)
})
afterEach(() => {
  noteServerTime(Date.now())
  vi.useRealTimers()
})

const answer = (ms: number) => new Response(null, { headers: { date: new Date(ms).toUTCString() } })

it('stays as it is within what an answer tells', () => {
  noteAnswer(answer(NOON - 800), NOON - 50)
  expect(serverNow()).toBe(NOON)
})

it('is corrected to about half a second by an answer', () => {
  noteAnswer(answer(NOON + 90_000), NOON - 50)
  expect(Math.abs(serverNow() - (NOON + 90_000))).toBeLessThanOrEqual(1_000)
  noteAnswer(answer(NOON - 90_000), NOON - 50)
  expect(Math.abs(serverNow() - (NOON - 90_000))).toBeLessThanOrEqual(1_000)
})

it('is never before an event, and late events say nothing', () => {
  noteEvent(new Date(NOON + 300).toISOString())
  expect(serverNow()).toBe(NOON + 300)
  noteEvent(new Date(NOON - 60_000).toISOString())
  expect(serverNow()).toBe(NOON + 300)
  noteEvent('')
  expect(serverNow()).toBe(NOON + 300)
})
