// A journal as it is read.
import { expect, test } from 'vitest'
import { entriesOf } from './transcript'

const model = (text: string, calls: object[] = [], thinking = '') => ({ kind: 'model', response: { text, thinking, calls }, durationMs: 1, attempts: 1 })
const call = (id: string) => ({ id, name: 'search', arguments: '{"q":1}' })

test('calls have their results, also where an id comes twice', () => {
  const entries = entriesOf([
    model('I look.', [call('1')], 'Where?'),
    { kind: 'tool_result', toolCallId: '1', name: 'search', status: 'error', text: 'none', durationMs: 5 },
    { kind: 'tool_started', tool_call_id: '1' },
    model('', [call('1')]),
    { kind: 'tool_result', toolCallId: '1', name: 'search', status: 'ok', text: 'found', durationMs: 6 },
    { kind: 'note', note: 'last_call', reason: 'tool_rounds' },
    { kind: 'something_new' },
    model('Done.'),
  ])
  expect(entries.map((entry) => entry.kind)).toEqual(['thinking', 'text', 'call', 'call', 'note', 'text'])
  expect(entries.flatMap((entry) => (entry.kind === 'call' ? [[entry.call.status, entry.call.preview]] : []))).toEqual([
    ['error', 'none'],
    ['ok', 'found'],
  ])
})

test('what is not understood is passed over', () => {
  expect(entriesOf([null, 7, {}, { kind: 'model' }, { kind: 'tool_result', toolCallId: 'x' }])).toEqual([])
})
