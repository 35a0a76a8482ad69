import { describe, expect, it } from 'vitest'
import type { Event } from '@/api/types'
import { accepted, batchStart, envelope, item, numbered, said, stored, text, update } from './testing/log'
import { fromSnapshot, turnsOf, userOf, type Turn } from './turn'
import { apply } from './turnEvents'

const start = (): Turn => fromSnapshot({ ...stored(''), status: 'pending' })

function run(events: Event[], turn = start()): Turn {
  for (const event of numbered(events)) {
    const outcome = apply(turn, event)
    if (outcome.kind !== 'applied') throw new Error(`${event.type} ${event.seq}: ${outcome.kind}`)
    turn = outcome.turn
  }
  return turn
}

const kind = (turn: Turn, event: Event, seq: number, epoch = 1) => apply(turn, envelope(event, seq, epoch)).kind

describe('the place of an event', () => {
  const turn = run([accepted(), text('a'), text('b')])

  it('is the next one, or it is known, or something is missing', () => {
    expect(kind(turn, text('c'), 4)).toBe('applied')
    expect(kind(turn, text('b'), 3)).toBe('duplicate')
    expect(kind(turn, text('d'), 5)).toBe('gap')
  })

  it('of an older log is known, of a newer one only its beginning or a picture will do', () => {
    const picture = fromSnapshot(stored(''))
    const resync: Event = { type: 'resync', data: { ...asPicture(picture), content: 'whole' } }
    expect(kind(turn, text('x'), 9, 0)).toBe('duplicate')
    expect(kind(turn, text('x'), 1, 2)).toBe('gap')
    expect(kind(turn, resync, 5, 2)).toBe('applied')
    expect(kind(turn, accepted(), 1, 2)).toBe('applied')
  })

  it('without anything known is the first', () => {
    expect(kind(start(), text('x'), 3)).toBe('gap')
    expect(kind(start(), accepted(), 1)).toBe('applied')
  })

  it('a picture stands for what was missed, and an older one is known', () => {
    const resync: Event = { type: 'resync', data: asPicture(fromSnapshot(stored('abcd'))) }
    const outcome = apply(turn, envelope(resync, 9))
    expect(outcome).toMatchObject({ kind: 'applied', turn: { content: 'abcd', cursor: { epoch: 1, seq: 9 } } })
    expect(kind(turn, resync, 2)).toBe('duplicate')
  })

  it('after the end there is none: the last event comes once', () => {
    const ended = run([accepted(), { type: 'done', data: asPicture(fromSnapshot(stored('all'))) }])
    expect(ended).toMatchObject({ ended: true, status: 'completed', content: 'all' })
    expect(kind(ended, { type: 'error', data: { kind: 'internal', message: '' } }, 3)).toBe('duplicate')
    expect(kind(ended, accepted(), 1, 9)).toBe('duplicate')
  })
})

describe('what events make of a turn', () => {
  it('text and thinking are appended, and replaced when the call is made again', () => {
    const reset: Event = { type: 'text_reset', data: { text: 'kept ', thinking: 'so' } }
    const turn = run([text('lost'), { type: 'thinking_delta', data: { text: 'hm' } }, reset, text('new')])
    expect(turn).toMatchObject({ content: 'kept new', thinking: 'so' })
    expect(run([text('lost'), { type: 'text_reset', data: { text: '', thinking: '' } }])).toMatchObject({ content: '', thinking: '' })
  })

  it('a tool call has its result, and a repeated one begins again', () => {
    const call: Event = { type: 'tool_call', data: { toolCallId: 't', name: 'read', arguments: '{}' } }
    const result: Event = {
      type: 'tool_result',
      data: { toolCallId: 't', name: 'read', status: 'ok', preview: '12', durationMs: 3 },
    }
    expect(run([call, result]).tools).toMatchObject([{ toolCallId: 't', status: 'ok', preview: '12', durationMs: 3 }])
    expect(run([call, result, call]).tools).toMatchObject([{ toolCallId: 't', status: 'running' }])
  })

  it('one subagent replaces its own line only, in the order of the call, and is counted anew', () => {
    const turn = run([
      batchStart('b', 3),
      update('b', item(12, 2, 'queued')),
      update('b', item(10, 0, 'running')),
      update('b', item(11, 1, 'running')),
      update('b', item(10, 0, 'timed_out', { error: 'too long' })),
    ])
    const [batch] = turn.subagents
    expect(batch?.items.map(({ id, status }) => [id, status])).toEqual([
      [10, 'timed_out'],
      [11, 'running'],
      [12, 'queued'],
    ])
    expect(batch?.summary).toEqual({ total: 3, queued: 1, running: 1, completed: 0, failed: 1, cancelled: 0 })
  })

  it('two calls of one turn are two cards, and a batch keeps what is not changed', () => {
    const turn = run([batchStart('a', 1), update('a', item(1, 0, 'running')), batchStart('b', 1)])
    const next = run([...Array(3).fill(text('')), update('b', item(2, 0, 'running'))], { ...turn, cursor: undefined })
    expect(next.subagents.map(({ batchId }) => batchId)).toEqual(['a', 'b'])
    expect(next.subagents[0]).toBe(turn.subagents[0])
  })

  it('an update whose batch was not announced makes the card', () => {
    const turn = run([update('b', item(1, 0, 'running', { goal: '目'.repeat(100) }))])
    expect(turn.subagents[0]).toMatchObject({ title: `${'目'.repeat(79)}…`, summary: { total: 1, running: 1 } })
  })

  it('questions come and go by their id', () => {
    const ask = (pauseId: number): Event => ({ type: 'clarify_request', data: { pauseId, kind: 'clarify', question: '?' } })
    const gone: Event = { type: 'pause_answered', data: { pauseId: 1, status: 'answered' } }
    expect(run([ask(1), ask(2), ask(1)]).pauses.map(({ pauseId }) => pauseId)).toEqual([2, 1])
    expect(run([ask(1), ask(2), gone]).pauses.map(({ pauseId }) => pauseId)).toEqual([2])
  })

  it('a failure keeps the text and says why', () => {
    const turn = run([text('so far'), { type: 'error', data: { kind: 'model_auth', message: 'key' } }])
    expect(turn).toMatchObject({ content: 'so far', status: 'failed', reason: 'model_auth', ended: true, error: { message: 'key' } })
  })

  it('types of a later version only take their number', () => {
    const strange = { type: 'from_the_future', data: { x: 1 } } as unknown as Event
    expect(run([text('a'), strange, text('b')])).toMatchObject({ content: 'ab', cursor: { seq: 3 } })
  })

  it('what it is given stays as it was', () => {
    const turn = Object.freeze(run([batchStart('b', 1), update('b', item(1, 0, 'queued'))]))
    const before = structuredClone(turn)
    apply(turn, envelope(update('b', item(1, 0, 'completed')), 3))
    expect(turn).toEqual(before)
  })
})

describe('a live turn and the same restored', () => {
  it('show equal cards', () => {
    const done = (id: number, order: number) => item(id, order, 'completed', { summary: `found ${id}` })
    const events = [
      accepted(),
      batchStart('b', 2),
      update('b', item(1, 0, 'queued')),
      update('b', item(2, 1, 'queued')),
      update('b', item(2, 1, 'running')),
      update('b', done(2, 1)),
      update('b', item(1, 0, 'failed', { error: 'no' })),
    ]
    const live = run(events)
    const summary = { total: 2, queued: 0, running: 0, completed: 1, failed: 1, cancelled: 0 }
    const items = [item(1, 0, 'failed', { error: 'no' }), done(2, 1)]
    const subagents = [{ parentMessageId: 2, batchId: 'b', title: 'title b', items, summary }]
    const message = stored('')
    const restored = fromSnapshot({ ...message, metadata: { ...message.metadata, subagents: subagents as never } })
    expect(live.subagents).toEqual(restored.subagents)
  })
})

describe('stored messages', () => {
  it('are paired to turns', () => {
    const turns = turnsOf([said('hi'), stored('hello')])
    expect(turns).toMatchObject([{ messageId: 2, content: 'hello', ended: true, user: { id: 1, content: 'hi' } }])
    expect(turnsOf([stored('hello')])[0]?.user).toBeUndefined()
    expect(userOf(said('hi')).content).toBe('hi')
  })
})

function asPicture(turn: Turn) {
  const { content, thinking, todos, tools, subagents } = turn
  return { userMessageId: 1, assistantMessageId: 2, runId: 7, status: 'completed' as const, content, thinking, todos, tools, subagents }
}
