import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { onSignedOut } from '../client'
import { LiveChannel, type Keeper, type Place } from './channel'
import type { Envelope } from './envelope'
import { HEARTBEAT_MS } from './socket'
import { FakeSocket, fakeServer, refusal } from './testing/fakes'

const S = '0193b3a0-0000-7000-8000-000000000001'

class Recorder implements Keeper {
  at: Place[] = []
  got: number[] = []
  joins = 0
  missed = 0
  places = () => this.at
  events = (_: string, events: Envelope[]) => void this.got.push(...events.map(({ seq }) => seq))
  joined = () => void (this.joins += 1)
  caughtUp = (_: string, count: number) => void (this.missed = count)
}

let channel: LiveChannel
let keeper: Recorder
let server: ReturnType<typeof fakeServer>
let states: string[]

beforeEach(() => {
  vi.useFakeTimers()
  server = fakeServer()
  server.on((url) => (url.pathname === '/api/me' ? { body: {} } : undefined))
  keeper = new Recorder()
  channel = new LiveChannel()
  channel.listen(keeper)
  states = []
  channel.onState((state, attempt) => states.push(attempt ? `${state} ${attempt}` : state))
})

afterEach(() => {
  channel.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function event(seq: number): object {
  return { v: 1, sessionId: S, messageId: 2, runId: 7, ts: '', seq, epoch: 1, type: 'text_delta', data: { text: `${seq}` } }
}

const frame = () => vi.advanceTimersByTimeAsync(120)
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

async function online(): Promise<FakeSocket> {
  const followed = channel.follow(S)
  const socket = FakeSocket.last.accept()
  await followed
  return socket
}

describe('the socket', () => {
  it('follows a session, and hands on what comes once a frame', async () => {
    const socket = await online()
    expect(channel.state).toBe('online')
    const handed: number[] = []
    channel.onEvents((_, events) => handed.push(events.length))
    for (let seq = 1; seq <= 50; seq += 1) socket.say(event(seq))
    expect(keeper.got).toEqual([])
    await frame()
    expect(keeper.got).toHaveLength(50)
    expect(handed).toEqual([50])
  })

  it('asks again for what was refused for a while', async () => {
    void channel.follow(S)
    const socket = FakeSocket.last
    socket.readyState = 1
    socket.onopen?.()
    socket.sent = []
    socket.say({ type: 'problem', code: 'rate_limited', detail: 'slower', retryAfterSeconds: 3 })
    await pass(2_900)
    expect(socket.sent.filter(({ type }) => type === 'subscribe')).toEqual([])
    await pass(200)
    expect(socket.sent.filter(({ type }) => type === 'subscribe')).toHaveLength(1)
    socket.acknowledge()
    expect(keeper.joins).toBe(1)
    expect(FakeSocket.all).toHaveLength(1)
  })

  it('counts from the first word on: one that lets nothing through is no socket', async () => {
    void channel.follow(S)
    FakeSocket.last.readyState = 1
    FakeSocket.last.onopen?.()
    expect(channel.state).toBe('connecting')
    await pass(5_000)
    expect(FakeSocket.last.readyState === 3 || FakeSocket.all.length === 2).toBe(true)
  })

  it.each([2_000, 12_000, 60_000, 300_000])('goes on at its places after %i ms', async (ms) => {
    const socket = await online()
    keeper.at = [{ messageId: 2, epoch: 1, seq: 5 }]
    server.on(() => new TypeError('Load failed'))
    socket.fail()
    for (let waited = 0; waited < ms; waited += 1_000) {
      await pass(1_000)
      const open = FakeSocket.live
      expect(open.length).toBeLessThanOrEqual(1)
      if (waited + 1_000 < ms) open.forEach((one) => one.fail())
    }
    for (let waited = 0; FakeSocket.live.length === 0 && waited < 31_000; waited += 500) await pass(500)
    const again = FakeSocket.last
    expect(again).not.toBe(socket)
    again.readyState = 1
    again.onopen?.()
    expect(again.sent).toContainEqual({ type: 'subscribe', sessionId: S, level: 'turn', messageId: 2, epoch: 1, seq: 5 })
    again.acknowledge()
    expect(channel.state).toBe('online')
    expect(channel.attempt).toBe(0)
  })

  it('tells what was caught up, and that it joined again', async () => {
    const socket = await online()
    keeper.at = [{ messageId: 2, epoch: 1, seq: 5 }]
    const counts: number[] = []
    channel.onCaughtUp((count) => counts.push(count))
    socket.fail()
    await pass(600)
    FakeSocket.last.accept()
    expect(keeper.joins).toBe(2)
    for (const seq of [5, 6, 7, 8]) FakeSocket.last.say(event(seq))
    await pass(1_000)
    expect(keeper.missed).toBe(3)
    FakeSocket.last.say(event(9))
    await pass(1_000)
    expect(counts).toEqual([3])
  })

  it.each(['Load failed', 'Failed to fetch', 'NetworkError when attempting to fetch resource.', 'x'])(
    'an error in the words %o is a disconnect',
    async (words) => {
      const socket = await online()
      server.on(() => new TypeError(words))
      socket.fail()
      await pass(500)
      FakeSocket.last.fail()
      await pass(100)
      expect(states.every((state) => /^(online|reconnecting \d)$/.test(state))).toBe(true)
      document.dispatchEvent(new Event('visibilitychange'))
      FakeSocket.last.accept()
      expect(channel.state).toBe('online')
    },
  )

  it('comes again when the server says, and not before', async () => {
    const socket = await online()
    socket.say({ type: 'reconnect', afterMs: 3_000 })
    expect(FakeSocket.live).toEqual([])
    await pass(2_900)
    expect(FakeSocket.all).toHaveLength(1)
    await pass(200)
    FakeSocket.last.accept()
    expect(channel.state).toBe('online')
  })

  it('is dead after two heartbeats of silence', async () => {
    const socket = await online()
    await pass(HEARTBEAT_MS)
    socket.acknowledge()
    await pass(HEARTBEAT_MS)
    expect(socket.sent).toContainEqual(expect.objectContaining({ type: 'unsubscribe' }))
    expect(channel.state).toBe('online')
    await pass(HEARTBEAT_MS)
    expect(channel.state).toBe('reconnecting')
    expect(socket.readyState).toBe(3)
  })

  it('is never two: whatever wakes it while it opens', async () => {
    void channel.follow(S)
    window.dispatchEvent(new Event('online'))
    document.dispatchEvent(new Event('visibilitychange'))
    channel.start()
    expect(FakeSocket.all).toHaveLength(1)
    FakeSocket.last.fail()
    window.dispatchEvent(new Event('online'))
    window.dispatchEvent(new Event('online'))
    expect(FakeSocket.live).toHaveLength(1)
    await pass(60_000)
    expect(FakeSocket.live.length).toBeLessThanOrEqual(1)
  })

  it('an end of an older socket ends nothing', async () => {
    const first = await online()
    const stale = first.onclose
    first.fail()
    await pass(600)
    FakeSocket.last.accept()
    stale?.()
    expect(channel.state).toBe('online')
  })

  it('tells a page that nobody is signed in, and waits', async () => {
    const told = vi.fn()
    const off = onSignedOut(told)
    const socket = await online()
    server.on((url) => (url.pathname === '/api/me' ? refusal(401, 'unauthorized') : undefined))
    socket.fail()
    await pass(600)
    FakeSocket.last.fail()
    await pass(100)
    expect(told).toHaveBeenCalled()
    const tried = FakeSocket.all.length
    await pass(120_000)
    expect(FakeSocket.all).toHaveLength(tried)
    channel.start()
    expect(FakeSocket.all).toHaveLength(tried + 1)
    off()
  })

  it('asks for subagents when they are looked at', async () => {
    const socket = await online()
    keeper.at = [
      { messageId: 2, subagentId: 9, epoch: 3, seq: 1 },
      { messageId: 2, epoch: 1, seq: 5 },
    ]
    channel.setLevel(S, 'subagents')
    expect(socket.sent).toEqual([
      { type: 'subscribe', sessionId: S, level: 'subagents', messageId: 2, subagentId: 9, epoch: 3, seq: 1 },
      { type: 'subscribe', sessionId: S, level: 'subagents', messageId: 2, epoch: 1, seq: 5 },
    ])
    socket.sent = []
    channel.setLevel(S, 'turn')
    expect(socket.sent).toEqual([{ type: 'subscribe', sessionId: S, level: 'turn', messageId: 2, epoch: 1, seq: 5 }])
  })
})

describe('without sockets', () => {
  function polled(answers: { events: object[]; cursor: string }[]): string[] {
    const asked: string[] = []
    server.on((url) => {
      if (!url.pathname.endsWith('/events')) return undefined
      asked.push(url.search)
      const answer = answers.shift()
      return answer ? { body: answer } : new Promise(() => undefined)
    })
    return asked
  }

  async function blocked(): Promise<void> {
    void channel.follow(S)
    FakeSocket.last.fail()
    await pass(600)
    FakeSocket.last.fail()
    await pass(100)
  }

  it('falls to polling, once requests get through, and goes on by its cursor', async () => {
    const asked = polled([
      { events: [], cursor: 'a' },
      { events: [event(1), event(2)], cursor: 'b' },
    ])
    await blocked()
    expect(channel.state).toBe('polling')
    await frame()
    expect(keeper.got).toEqual([1, 2])
    expect(keeper.joins).toBe(1)
    expect(asked.map((search) => new URLSearchParams(search).get('cursor'))).toEqual([null, 'a', 'b'])
  })

  it('is no polling while the server is away', async () => {
    server.on(() => new TypeError('x'))
    await blocked()
    expect(channel.state).toBe('reconnecting')
  })

  it('goes back to a socket that opens later, and on at its places', async () => {
    polled([{ events: [event(1)], cursor: 'a' }])
    await blocked()
    keeper.at = [{ messageId: 2, epoch: 1, seq: 1 }]
    await pass(60_000)
    const socket = FakeSocket.last
    expect(channel.state).toBe('polling')
    socket.readyState = 1
    socket.onopen?.()
    expect(socket.sent).toContainEqual({ type: 'subscribe', sessionId: S, level: 'turn', messageId: 2, epoch: 1, seq: 1 })
    socket.acknowledge()
    expect(channel.state).toBe('online')
    expect(keeper.joins).toBe(2)
    const requests = server.requests.length
    await pass(10_000)
    expect(server.requests).toHaveLength(requests)
  })

  it('stays polling while sockets fail, ever more seldom', async () => {
    polled([{ events: [], cursor: 'a' }])
    await blocked()
    const tried = FakeSocket.all.length
    for (let n = 0; n < 600; n += 1) {
      await pass(1_000)
      FakeSocket.live.forEach((socket) => socket.fail())
    }
    expect(channel.state).toBe('polling')
    expect(FakeSocket.all.length - tried).toBeLessThan(15)
  })
})
