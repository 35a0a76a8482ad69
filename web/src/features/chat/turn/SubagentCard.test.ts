// The card folds by itself once it is finished and the answer began, unless somebody chose.
import { beforeEach, expect, test } from 'vitest'
import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { aBatch, anItem } from '@/testing/turns'
import SubagentCard from './SubagentCard.vue'

beforeEach(() => setActivePinia(createPinia()))
let messageId = 100

const working = () => aBatch([anItem(1, { status: 'completed' }), anItem(2), anItem(3, { status: 'failed', error: 'no answer\nstack' }), anItem(4, { status: 'queued' })])
const finished = () => aBatch([anItem(1, { status: 'completed', summary: 'Found it' }), anItem(2, { status: 'failed', error: 'no answer' })])

function card(props: Partial<InstanceType<typeof SubagentCard>['$props']> = {}) {
  messageId += 1
  return mount(SubagentCard, { props: { messageId, sessionId: 's', batch: working(), contentStarted: false, ended: false, ...props } })
}

test('the head counts all that is not well, too', () => {
  const head = card().find('.head').text()
  for (const words of ['1/4 done', '1 running', '1 queued', '1 failed']) expect(head).toContain(words)
})

test('rows say why they wait and why they failed', () => {
  const rows = card().findAll('.row')
  expect(rows[2]?.find('.line').text()).toBe('no answer')
  expect(rows[3]?.find('.line').text()).toBe('Next in line · limit 3')
})

test('it stays open until it is finished and the answer has begun', async () => {
  const page = card({ contentStarted: true })
  expect(page.find('.rows').exists()).toBe(true)
  await page.setProps({ batch: finished(), contentStarted: false })
  expect(page.find('.rows').exists()).toBe(true)
  await page.setProps({ contentStarted: true })
  expect(page.find('.rows').exists()).toBe(false)
  expect(page.text()).toContain('2 subagents')
})

test('the reader’s choice wins, and is remembered for the message', async () => {
  const page = card()
  await page.find('.toggle').trigger('click')
  expect(page.find('.rows').exists()).toBe(false)
  await page.find('.toggle').trigger('click')
  await page.setProps({ batch: finished(), contentStarted: true, ended: true })
  expect(page.find('.rows').exists()).toBe(true)
  const again = mount(SubagentCard, { props: page.props() })
  expect(again.find('.rows').exists()).toBe(true)
  const other = card({ batch: finished(), contentStarted: true, ended: true })
  expect(other.find('.rows').exists()).toBe(false)
})

test('a part that failed is amber, all that failed is red', () => {
  expect(card({ batch: finished(), ended: true }).find('.fold').classes()).toContain('is-partial')
  const failed = aBatch([anItem(1, { status: 'failed' }), anItem(2, { status: 'timed_out' })])
  expect(card({ batch: failed, ended: true }).find('.fold').classes()).toContain('is-failed')
})

test('a running row is stopped, any row is opened', async () => {
  const page = card()
  await page.findAll('.row .open')[0]?.trigger('click')
  await page.find('.stop').trigger('click')
  expect(page.emitted('open')).toEqual([[1]])
  expect(page.emitted('stop')).toEqual([[2]])
  expect(page.findAll('.stop')).toHaveLength(1)
})

test('more than six fold to what matters, and all are shown when asked for', async () => {
  const batch = aBatch([...Array(15).keys()].map((id) => anItem(id, { status: 'completed' })))
  const page = card({ batch })
  expect(page.findAll('.row')).toHaveLength(6)
  expect(page.find('.more').text()).toBe('9 more')
  await page.find('.more').trigger('click')
  expect(page.findAll('.row')).toHaveLength(15)
})

test('without news a running row says that nobody knows', () => {
  const page = card({ stale: true })
  expect(page.findAll('.row')[1]?.find('.state').classes()).toContain('is-stale')
  expect(page.findAll('.row')[1]?.find('.line').text()).toBe('No news from it at the moment')
})
