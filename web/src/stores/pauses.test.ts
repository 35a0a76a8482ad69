import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer, refusal } from '@/api/live/testing/fakes'
import { usePauses } from './pauses'

const pause = (pauseId: number) => ({ pauseId, question: `q${pauseId}`, status: 'open' })
let server: ReturnType<typeof fakeServer>

beforeEach(async () => {
  setActivePinia(createPinia())
  server = fakeServer()
  server.on(({ pathname }) => (pathname === '/api/pauses' ? { body: { items: [pause(2), pause(1)] } } : undefined))
  await usePauses().load()
})
afterEach(() => vi.unstubAllGlobals())

function answers(answer: ReturnType<typeof refusal>): void {
  server.on(({ pathname }) => (pathname === '/api/pauses/1/answer' ? answer : undefined))
}

it('lists open questions, the oldest first', () => {
  expect(usePauses().open.map(({ pauseId }) => pauseId)).toEqual([1, 2])
  expect(usePauses().count).toBe(2)
})

it('takes an answered question away', async () => {
  answers({ body: { ...pause(1), status: 'answered' } })
  expect(await usePauses().answer(1, 'yes')).toMatchObject({ kind: 'answered' })
  expect(usePauses().count).toBe(1)
})

it('tells that somebody else answered, and what', async () => {
  answers({ status: 409, body: { code: 'pause_answered', detail: '', pause: { ...pause(1), answer: 'no' } } })
  expect(await usePauses().answer(1, 'yes')).toMatchObject({ kind: 'answered_otherwise', pause: { answer: 'no' } })
  expect(usePauses().count).toBe(1)
})

it('tells that a question takes no answer any more, and why', async () => {
  answers({ status: 410, body: { code: 'pause_over', detail: '', state: 'expired' } })
  expect(await usePauses().answer(1, 'yes')).toEqual({ kind: 'over', state: 'expired' })
  expect(usePauses().count).toBe(1)
})

it('keeps the question when the answer did not get through', async () => {
  answers(new TypeError('Load failed'))
  await expect(usePauses().answer(1, 'yes')).rejects.toThrow()
  expect(usePauses().count).toBe(2)
})
