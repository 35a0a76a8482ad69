import { describe, expect, it } from 'vitest'
import type { Envelope } from '@/api/live'
import type { Event } from '@/api/types'
import * as threads from './thread'
import { IDS, accepted, batchStart, envelope, inFlight, item, numbered, pictureOf, random, said, stored, text, update } from './testing/log'

const page = (messages: Parameters<typeof threads.mergeNewest>[1]['messages'], hasMore = false) => ({ messages, hasMore })
const ids = (turn: number) => ({ ...IDS, messageId: turn * 2, runId: 100 + turn })
const pair = (turn: number) => [said(`q${turn}`, ids(turn)), stored(`a${turn}`, ids(turn))]

function shown(state: threads.ThreadState): unknown[] {
  return threads.ordered(state).map(({ user, content }) => [user?.content, content])
}

describe('pages and events', () => {
  it('events before the page wait for it', () => {
    const state = threads.newThread()
    const events = numbered([accepted(), text('Hel'), text('lo')])
    const effects = threads.receive(state, events)
    expect(effects).toMatchObject({ refresh: true, changed: false })
    threads.mergeNewest(state, page([said('hi'), inFlight([accepted(), text('Hel')], 2)]), new Set())
    expect(shown(state)).toEqual([['hi', 'Hello']])
  })

  it('a hole asks for the turn, and what came meanwhile is applied to it', () => {
    const state = threads.newThread()
    threads.mergeNewest(state, page([said('hi'), inFlight([accepted()], 1)]), new Set())
    expect([...threads.receive(state, [envelope(text('c'), 4)]).fetch]).toEqual([2])
    threads.receive(state, [envelope(text('d'), 5)])
    threads.mergeMessage(state, inFlight([accepted(), text('a'), text('b')], 3))
    expect(shown(state)).toEqual([['hi', 'abcd']])
  })

  it('an older picture takes nothing back, but tells who answers', () => {
    const state = threads.newThread()
    threads.mergeNewest(state, page([said('hi'), inFlight([accepted()], 1)]), new Set())
    threads.receive(state, [envelope(text('a'), 2), envelope(text('b'), 3)])
    const late = { ...inFlight([accepted(), text('a')], 2), agentName: 'Ada' }
    threads.mergeMessage(state, late)
    expect(threads.ordered(state)[0]).toMatchObject({ content: 'ab', cursor: { seq: 3 }, agentName: 'Ada' })
  })

  it('the stored end wins over what was heard', () => {
    const state = threads.newThread()
    threads.mergeNewest(state, page([said('hi'), inFlight([accepted(), text('a')], 2)]), new Set())
    threads.mergeNewest(state, page([said('hi'), stored('all')]), new Set([2]))
    expect(threads.ordered(state)[0]).toMatchObject({ content: 'all', ended: true })
    threads.mergeMessage(state, inFlight([accepted(), text('a')], 2))
    expect(threads.ordered(state)[0]).toMatchObject({ content: 'all', ended: true })
  })

  it('a turn that the newest page lacks is gone, one that was begun meanwhile is not', () => {
    const state = threads.newThread()
    threads.mergeNewest(state, page([...pair(1), ...pair(2), ...pair(3)]), new Set())
    const before = new Set([2, 4, 6])
    threads.mergeNewest(state, page(pair(4)), new Set())
    threads.mergeNewest(state, page([...pair(1), ...pair(3)]), before)
    expect([...state.turns.keys()].sort()).toEqual([2, 6, 8])
  })

  it('older turns stay if the newest page joins on to them, else they go', () => {
    const state = threads.newThread()
    threads.mergeNewest(state, page([...pair(1), ...pair(2)]), new Set())
    expect(threads.mergeNewest(state, page([...pair(2), ...pair(3)], true), new Set([2, 4])).joins).toBe(true)
    expect([...state.turns.keys()]).toEqual([2, 4, 6])
    expect(threads.mergeNewest(state, page(pair(9), true), new Set([2, 4, 6])).joins).toBe(false)
    expect([...state.turns.keys()]).toEqual([18])
  })

  it('a page that ends between question and answer is mended by the next', () => {
    const state = threads.newThread()
    threads.mergeNewest(state, page([stored('a2', ids(2)), ...pair(3)], true), new Set())
    threads.mergeEarlier(state, page([...pair(1), said('q2', ids(2))]))
    expect(shown(state)).toEqual([
      ['q1', 'a1'],
      ['q2', 'a2'],
      ['q3', 'a3'],
    ])
  })

  it('a message that replaces another takes it and all later ones away', () => {
    const state = threads.newThread()
    threads.mergeNewest(state, page([...pair(1), ...pair(2), ...pair(3)]), new Set())
    threads.cutFrom(state, 3, true)
    expect(shown(state)).toEqual([['q1', 'a1']])
  })

  it('a turn that ends as deleted leaves', () => {
    const state = threads.newThread()
    threads.mergeNewest(state, page([said('hi'), inFlight([accepted()], 1)]), new Set())
    const end: Event = { type: 'done', data: { ...pictureOf([]), status: 'cancelled', reason: 'deleted' } }
    threads.receive(state, [envelope(end, 2)])
    expect(shown(state)).toEqual([])
  })

  it('a deleted session is told', () => {
    const bye = envelope({ type: 'session_deleted', data: {} } as Event, 0)
    expect(threads.receive(threads.newThread(), [bye]).deleted).toBe(true)
  })
})

describe("subagents' own streams", () => {
  const of = (event: Event, seq: number): Envelope => ({ ...envelope(event, seq), runId: 50 })

  it('are kept apart from their turn, each with its place', () => {
    const state = threads.newThread()
    threads.mergeNewest(state, page([said('hi'), inFlight([accepted(), text('T')], 2)]), new Set())
    threads.receive(state, [of({ type: 'resync', data: { ...pictureOf([]), runId: 50, status: 'running', content: 'S' } }, 4), of(text('s'), 5)])
    expect(threads.ordered(state)[0]?.content).toBe('T')
    expect(state.streams.get(50)).toMatchObject({ content: 'Ss', status: 'running' })
    expect(threads.places(state)).toEqual([
      { messageId: 2, subagentId: 50, epoch: 1, seq: 5 },
      { messageId: 2, subagentId: undefined, epoch: 1, seq: 2 },
    ])
    expect(threads.receive(state, [of(text('x'), 9)])).toMatchObject({ resume: true, changed: false })
  })
})

/** A turn of so many events, as they come at random. */
function story(chance: () => number, length: number): Event[] {
  const statuses = ['queued', 'running', 'completed', 'failed', 'timed_out', 'cancelled'] as const
  const events: Event[] = [accepted(), { type: 'status', data: { status: 'running' } }, batchStart('b', 4)]
  while (events.length < length) {
    const n = Math.floor(chance() * 10)
    if (n < 6) events.push(text(`<${events.length}>`))
    else if (n === 6) events.push({ type: 'thinking_delta', data: { text: `(${events.length})` } })
    else if (n === 7 && chance() < 0.2) events.push({ type: 'text_reset', data: { text: `[${events.length}]`, thinking: '' } })
    else events.push(update('b', item(10 + n, n, statuses[Math.floor(chance() * 6)]!)))
  }
  return events
}

/** A server with the log, and a network that loses, doubles and delays; the page asks as it is told to. */
function tell(seed: number): { state: threads.ThreadState; events: Event[] } {
  const chance = random(seed)
  const events = story(chance, 20 + Math.floor(chance() * 60))
  const state = threads.newThread()
  let epoch = 1
  let head = 0
  let asked = false
  const log = (): Envelope[] => numbered(events.slice(0, head), epoch)
  const answer = (at: number): void => {
    asked = false
    threads.mergeNewest(state, page([said('hi'), inFlight(events.slice(0, at), at, epoch)]), new Set(state.turns.keys()))
  }
  const give = (some: Envelope[]): void => {
    const effects = threads.receive(state, some)
    asked ||= effects.refresh || effects.fetch.size > 0
  }
  while (head < events.length) {
    const n = chance()
    if (n < 0.55) {
      head += 1
      if (chance() < 0.8) give(log().slice(-1))
    } else if (n < 0.7) give(log().slice(Math.floor(chance() * head)))
    else if (n < 0.85) answer(Math.floor(chance() * (head + 1)))
    else if (n < 0.95) {
      // The connection broke: it goes on after the reader's place.
      const place = threads.places(state)[0]
      if (place?.epoch === epoch) give(log().slice(place.seq))
    } else {
      // The log was lost: another one begins with the whole picture.
      epoch += 1
      give([envelope({ type: 'resync', data: pictureOf(events.slice(0, head)) }, head, epoch)])
    }
    if (asked && chance() < 0.5) answer(head)
  }
  if (asked || state.turns.size === 0) answer(head)
  const place = threads.places(state)[0]
  if (place?.epoch === epoch) give(log().slice(place.seq))
  else give([envelope({ type: 'resync', data: pictureOf(events) }, head, epoch)])
  return { state, events }
}

describe('whatever the network does', () => {
  it.each(Array.from({ length: 400 }, (_, n) => n))("the page has the server's text and cards (%i)", (seed) => {
    const { state, events } = tell(seed)
    const want = pictureOf(events)
    const [turn] = threads.ordered(state)
    expect(turn?.content).toBe(want.content)
    expect(turn?.thinking).toBe(want.thinking)
    expect(turn?.subagents).toEqual(want.subagents)
    expect(state.waiting.size).toBe(0)
  })
})
