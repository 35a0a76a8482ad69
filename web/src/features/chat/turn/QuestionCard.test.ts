// A question is answered once, and its card says what really came of it.
import { beforeEach, expect, test, vi } from 'vitest'
import { mount } from '@vue/test-utils'
import QuestionCard from './QuestionCard.vue'

const clarify = { pauseId: 5, kind: 'clarify' as const, question: 'Which?', options: ['Short', 'Long'] }
const budget = { pauseId: 6, kind: 'budget' as const, question: 'Used up', options: ['raise', 'finish now', 'stop'] }
let stored: object
beforeEach(() => {
  stored = { status: 'open' }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(stored), { headers: { 'content-type': 'application/json' } }))
})

test('an option is the answer', async () => {
  const page = mount(QuestionCard, { props: { pause: clarify, open: true } })
  await page.findAll('.options button')[1]?.trigger('click')
  expect(page.emitted('answer')).toEqual([['Long']])
  await page.findAll('.options button')[0]?.trigger('click')
  expect(page.emitted('answer')).toHaveLength(1)
})

test('any text is, too, sent by Enter, but not by the Enter of an input method', async () => {
  const page = mount(QuestionCard, { props: { pause: clarify, open: true } })
  const field = page.find('textarea')
  await field.setValue('  in between ')
  await field.trigger('keydown', { key: 'Enter', isComposing: true })
  await field.trigger('keydown', { key: 'Enter', shiftKey: true })
  expect(page.emitted('answer')).toBeUndefined()
  await field.trigger('keydown', { key: 'Enter' })
  expect(page.emitted('answer')).toEqual([['in between']])
})

test('a decision has its options only, in words, and sends their names', async () => {
  const page = mount(QuestionCard, { props: { pause: budget, open: true } })
  expect(page.find('textarea').exists()).toBe(false)
  const options = page.findAll('.options button')
  expect(options.map((option) => option.text())).toEqual(['Raise the budget', 'Finish with what there is', 'Stop here'])
  await options[1]?.trigger('click')
  expect(page.emitted('answer')).toEqual([['finish now']])
})

async function outcome(answer: object): Promise<string> {
  const page = mount(QuestionCard, { props: { pause: clarify, open: true } })
  await page.findAll('.options button')[0]?.trigger('click')
  stored = answer
  await page.setProps({ open: false })
  await vi.waitFor(() => expect(page.find('.result').exists()).toBe(true))
  expect(page.find('.options').exists()).toBe(false)
  return page.find('.result').text()
}

test('an answer that counted', async () => expect(await outcome({ status: 'answered', answer: 'Short' })).toBe('Answered: Short'))

test('somebody else was first', async () => expect(await outcome({ status: 'answered', answer: 'Long' })).toBe("Somebody else's answer came first: Long"))

test('too late', async () => expect(await outcome({ status: 'expired' })).toContain('Nobody answered in time'))

test('the turn ended', async () => expect(await outcome({ status: 'cancelled' })).toContain('ended before this was answered'))
