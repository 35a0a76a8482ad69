// The order of a turn, how it ended, and what it asks to be done.
// The sanitizer needs a whole DOM.
// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest'
import { mount } from '@vue/test-utils'
import { nextTick } from 'vue'
import { createPinia, setActivePinia } from 'pinia'
import en from '@/i18n/en'
import { aBatch, aCall, anItem, aTurn } from '@/testing/turns'
import AssistantTurn from './AssistantTurn.vue'
import { REASONS } from './reasons'

beforeEach(() => {
  setActivePinia(createPinia())
  vi.stubGlobal('fetch', async () => new Response('{}', { headers: { 'content-type': 'application/json' } }))
})
const show = (part: Parameters<typeof aTurn>[0]) => mount(AssistantTurn, { props: { turn: aTurn(part) } })

test('plan, subagents, tools, thinking, text: always in this order', () => {
  const page = show({
    content: 'The answer',
    thinking: 'Hm',
    tools: [aCall('t', 'get_time')],
    subagents: [aBatch([anItem(1, { status: 'completed' })])],
    todos: [{ content: 'Do it', status: 'completed' }],
  })
  const text = page.text()
  const places = ['Plan', '1 subagent', 'get_time', 'Thoughts', 'The answer'].map((words) => text.indexOf(words))
  expect(places.every((place) => place >= 0)).toBe(true)
  expect([...places].sort((a, b) => a - b)).toEqual(places)
})

test('a plan folds when it is done and the answer began', () => {
  const todos = [{ content: 'Do it', status: 'completed' as const }]
  expect(show({ messageId: 900, todos, content: 'x' }).find('.items').exists()).toBe(false)
  expect(show({ messageId: 901, todos }).find('.items').exists()).toBe(true)
})

test('thinking shows its last line while it is written, and never opens by itself', async () => {
  const page = show({ messageId: 902, status: 'running', ended: false, thinking: 'first\nlast' })
  expect(page.find('.thinking').text()).toContain('last')
  expect(page.find('.thinking .markdown').exists()).toBe(false)
  await page.find('.thinking .toggle').trigger('click')
  expect(page.find('.thinking .markdown').exists()).toBe(true)
})

test.each(REASONS)('a turn that failed by %s says so in words', (reason) => {
  const words = en as unknown as { turn: { reason: Record<string, string> } }
  const page = show({ status: 'failed', error: { kind: reason, message: 'raw cause' } })
  expect(page.find('[role="alert"]').text()).toContain(words.turn.reason[reason])
  expect(page.text()).toContain('raw cause')
})

test('a failure is tried again, a stop goes on or is thrown away', async () => {
  const failed = show({ status: 'failed', error: { kind: 'internal', message: '' } })
  await failed.find('[role="alert"] .button').trigger('click')
  expect(failed.emitted('retry')).toHaveLength(1)
  const stopped = show({ status: 'cancelled', reason: 'stopped', content: 'Half' })
  expect(stopped.text()).toContain('Half')
  const [goOn, discard] = stopped.findAll('.mark .button')
  await goOn?.trigger('click')
  await discard?.trigger('click')
  expect(stopped.emitted('continue')).toHaveLength(1)
  expect(stopped.emitted('discard')).toHaveLength(1)
})

test('an answer that limits shaped says which', () => {
  expect(show({ content: 'x', reason: 'tool_rounds' }).text()).toContain('used all its rounds')
  expect(show({ content: 'x' }).find('.limit').exists()).toBe(false)
})

test('[ folds all cards of the turn, ] opens them', async () => {
  const page = mount(AssistantTurn, {
    attachTo: document.body,
    props: { turn: aTurn({ messageId: 903, ended: false, status: 'running', todos: [{ content: 'Do it', status: 'pending' }], subagents: [aBatch([anItem(1)])] }) },
  })
  await nextTick()
  const cards = () => page.findAll('.items, .rows').length
  expect(cards()).toBe(2)
  await page.find('.toggle').trigger('keydown', { key: '[' })
  expect(cards()).toBe(0)
  await page.find('.toggle').trigger('keydown', { key: ']' })
  expect(cards()).toBe(2)
  page.unmount()
})
