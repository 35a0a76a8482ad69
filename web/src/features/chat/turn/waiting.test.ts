// What a turn that waits says, and what came of a question, as the server tells it.
import { beforeEach, expect, test, vi } from 'vitest'
import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { aCall, aTurn } from '@/testing/turns'
import AssistantTurn from './AssistantTurn.vue'

beforeEach(() => setActivePinia(createPinia()))
const show = (part: Parameters<typeof aTurn>[0]) => mount(AssistantTurn, { props: { turn: aTurn(part) } })

test('a turn that waits says for what', async () => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ why: { kind: 'session_busy', runId: 1, ahead: 2 } }), { headers: { 'content-type': 'application/json' } }))
  const page = show({ status: 'queued', ended: false, reason: 'session_busy' })
  expect(page.text()).toContain('Another turn of this conversation comes first')
  await vi.waitFor(() => expect(page.text()).toContain('2 turns ahead in this conversation'))
  page.unmount()
})

test('a question that was answered stays with what came of it', async () => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ status: 'answered', answer: 'Yes' }), { headers: { 'content-type': 'application/json' } }))
  const page = show({ status: 'paused', ended: false, pauses: [{ pauseId: 1, kind: 'clarify', question: 'Sure?', options: ['Yes'] }] })
  await page.find('.options button').trigger('click')
  expect(page.emitted('answer')).toEqual([[1, 'Yes']])
  await page.setProps({ turn: aTurn({ status: 'running', ended: false, pauses: [], tools: [aCall('c', 'clarify', { arguments: '{"question":"Sure?"}', preview: 'Yes' })] }) })
  await vi.waitFor(() => expect(page.text()).toContain('Answered: Yes'))
  expect(page.text().match(/Sure\?/g)).toHaveLength(1)
})
