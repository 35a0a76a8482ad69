import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeSocket, fakeServer, refusal } from '@/api/live/testing/fakes'
import { useLiveChannel } from '@/api/live'
import type { Event, Me, Message } from '@/api/types'
import { useMe } from './me'
import { IDS, SESSION, accepted, envelope, inFlight, said, stored, text } from './testing/log'
import { useTurns } from './turns'

let server: ReturnType<typeof fakeServer>
let items: Message[]
let status: number
let turns: ReturnType<typeof useTurns>

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const say = (event: Event, seq: number) => FakeSocket.last.say(envelope(event, seq))

beforeEach(async () => {
  vi.useFakeTimers()
  localStorage.clear()
  server = fakeServer()
  items = []
  status = 200
  server.on((url) => {
    if (url.pathname === '/api/me') return { body: {} }
    if (!url.pathname.endsWith('/messages')) return undefined
    if (status !== 200) return refusal(status, 'x')
    const after = url.searchParams.get('after')
    const found = after === null ? items : items.filter(({ id }) => id > Number(after)).slice(0, 1)
    return { body: { items: found, hasMore: false } }
  })
  setActivePinia(createPinia())
  useMe().me = { actor: 'operator', tenant: { id: 1 } } as unknown as Me
  turns = useTurns()
})

afterEach(() => {
  turns.close(SESSION)
  useLiveChannel().stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function opened(): Promise<void> {
  turns.open(SESSION)
  FakeSocket.last.accept()
  await pass(200)
}

function contents(): string[] {
  return turns.thread(SESSION).turns.map(({ content }) => content)
}

describe('a session that is opened', () => {
  it('shows what is stored, and goes on live', async () => {
    items = [said('hi'), inFlight([accepted(), text('Hel')], 2)]
    await opened()
    say(text('lo'), 3)
    say(text('!'), 4)
    await pass(150)
    expect(turns.thread(SESSION).loading).toBe(false)
    expect(contents()).toEqual(['Hello!'])
  })

  it('asks for a turn of which a part is missing', async () => {
    items = [said('hi'), inFlight([accepted()], 1)]
    await opened()
    items = [said('hi'), inFlight([accepted(), text('a'), text('b')], 3)]
    say(text('c'), 4)
    await pass(200)
    expect(contents()).toEqual(['abc'])
  })

  it('asks for turns that it does not know', async () => {
    await opened()
    items = [said('from elsewhere'), inFlight([accepted()], 1)]
    say(accepted(), 1)
    say(text('x'), 2)
    await pass(200)
    expect(turns.thread(SESSION).turns[0]?.user?.content).toBe('from elsewhere')
    expect(contents()).toEqual(['x'])
  })

  it('waits while the server is away, without an error', async () => {
    status = 503
    await opened()
    expect(turns.thread(SESSION)).toMatchObject({ loading: true, error: undefined })
    status = 200
    items = [said('hi'), stored('hello')]
    await pass(60_000)
    expect(contents()).toEqual(['hello'])
  })

  it('that does not exist is gone, and so is one that is deleted', async () => {
    status = 404
    await opened()
    expect(turns.thread(SESSION)).toMatchObject({ gone: true, loading: false, turns: [] })
    turns.close(SESSION)
    status = 200
    items = [said('hi'), stored('hello')]
    turns.open(SESSION)
    FakeSocket.last.acknowledge()
    await pass(200)
    expect(turns.thread(SESSION).gone).toBe(false)
    FakeSocket.last.say(envelope({ type: 'session_deleted', data: {} } as Event, 0))
    await pass(150)
    expect(turns.thread(SESSION)).toMatchObject({ gone: true, turns: [] })
  })

  it('is asked for anew after an interruption: what happened meanwhile is shown', async () => {
    items = [said('hi'), inFlight([accepted()], 1)]
    await opened()
    FakeSocket.last.fail()
    items = [said('hi'), stored('all')]
    await pass(1_000)
    FakeSocket.last.accept()
    await pass(200)
    expect(turns.thread(SESSION).turns).toMatchObject([{ content: 'all', ended: true }])
  })
})

describe('a message', () => {
  const take = () =>
    server.on((url) =>
      url.pathname.startsWith('/open')
        ? { status: 202, body: { sessionId: SESSION, userMessageId: 1, assistantMessageId: 2, runId: 7, status: 'queued' } }
        : undefined,
    )

  it('is shown at once, and is the turn when it is accepted', async () => {
    await opened()
    turns.send({ sessionId: SESSION, content: 'hi' })
    expect(turns.outgoing(SESSION)).toMatchObject([{ content: 'hi' }])
    take()
    await pass(2_000)
    expect(turns.outgoing(SESSION)).toEqual([])
    expect(turns.thread(SESSION).turns).toMatchObject([{ messageId: 2, user: { content: 'hi' }, status: 'queued' }])
  })

  it('that replaces another takes its place when it is accepted', async () => {
    const old = { ...IDS, messageId: -2 }
    items = [said('old', old), stored('old answer', old)]
    await opened()
    take()
    turns.send({ sessionId: SESSION, content: 'new', replaces: -3 })
    await pass(50)
    expect(turns.thread(SESSION).turns.map(({ user }) => user?.content)).toEqual(['new'])
  })

  it('begins a session that is not asked for before it exists', async () => {
    const id = turns.send({ content: 'hi' })
    turns.open(id)
    await pass(100)
    expect(turns.thread(id)).toMatchObject({ loading: false, gone: false })
    expect(server.requests.some((request) => request.includes('/messages'))).toBe(false)
    turns.close(id)
  })
})

describe('stopping', () => {
  it('lasts until the server says that it ended, and is over when it is refused', async () => {
    items = [said('hi'), inFlight([accepted()], 1)]
    await opened()
    server.on((url) => (url.pathname === '/api/runs/7/stop' ? { status: 202, body: {} } : undefined))
    await turns.stop(2)
    expect(turns.isStopping(2)).toBe(true)
    const end = { ...inFlight([], 0).turn!, status: 'cancelled' as const }
    say({ type: 'done', data: end }, 2)
    await pass(150)
    expect(turns.isStopping(2)).toBe(false)
    server.on((url) => (url.pathname.endsWith('/stop') ? refusal(403, 'forbidden') : undefined))
    await expect(turns.stop(2)).rejects.toThrow()
    expect(turns.isStopping(2)).toBe(false)
  })
})
