import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refusal, type Handler } from '@/api/live/testing/fakes'
import type { Me } from '@/api/types'
import { newUuid } from '@/api/uuid'
import { useMe } from './me'
import { useOutbox } from './outbox'
import type { OutgoingMessage } from './turn'

const S = '0193b3a0-0000-7000-8000-000000000001'
const ADA = { actor: 'user', user: { id: 1 }, tenant: { id: 1, name: 'main' }, permissions: [], roleIds: [] } as unknown as Me
const BOB = { ...ADA, user: { id: 2 } } as unknown as Me

let server: ReturnType<typeof fakeServer>
/** What the server took, in its order; the same id counts once. */
let taken: Map<string, string>
let posts: string[]

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  server = fakeServer()
  taken = new Map()
  posts = []
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A tab of whoever is signed in: stores of its own over the browser's storage. */
function tab(who: Me = ADA) {
  setActivePinia(createPinia())
  useMe().me = who
  return useOutbox()
}

const take: Handler = async (url, request) => {
  if (url.pathname !== '/open/netaclaw/chat') return undefined
  const body = (await request.clone().json()) as { clientMessageId: string; message: string }
  posts.push(body.message)
  taken.set(body.clientMessageId, body.message)
  return { status: 202, body: { sessionId: S, userMessageId: 1, assistantMessageId: 2, runId: 3, status: 'queued' } }
}

function message(content: string, sessionId = S): OutgoingMessage {
  return { clientMessageId: newUuid(), sessionId, content, policy: 'enqueue', begins: true, createTime: '' }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('messages on their way', () => {
  it('do not begin a chat again that was deleted meanwhile', async () => {
    server.on(take)
    server.on((url) => (url.pathname.endsWith('/messages') ? refusal(404, 'not_found') : undefined))
    const outbox = tab()
    outbox.put({ ...message('into the void'), begins: false })
    await pass(0)
    expect(posts).toEqual([])
    expect(outbox.ofSession(S)).toMatchObject([{ content: 'into the void', problem: { code: 'not_found' } }])
  })

  it('that were to replace what is gone are said anew when they are sent again', async () => {
    server.on((url) => (url.pathname === '/open/netaclaw/chat' ? refusal(400, 'invalid') : undefined))
    const outbox = tab()
    const sent = { ...message('again'), replaces: 7, problem: { code: 'invalid', message: 'no', field: 'replaces' } }
    outbox.put(sent)
    outbox.resend(sent.clientMessageId)
    expect(outbox.ofSession(S)).toMatchObject([{ replaces: undefined }])
  })

  it('are sent in their order, one after the other, and leave', async () => {
    server.on(take)
    const outbox = tab()
    const accepted: string[] = []
    outbox.onAccepted(({ message: { content } }) => void accepted.push(content))
    for (const text of ['a', 'b', 'c']) outbox.put(message(text))
    expect(outbox.ofSession(S).map(({ content }) => content)).toEqual(['a', 'b', 'c'])
    await pass(10)
    expect(posts).toEqual(['a', 'b', 'c'])
    expect(accepted).toEqual(['a', 'b', 'c'])
    expect(outbox.ofSession(S)).toEqual([])
    expect(localStorage).toHaveLength(0)
  })

  it('wait while the server is away, in whatever words, and survive a reload', async () => {
    const outbox = tab()
    outbox.put(message('a'))
    outbox.put(message('b'))
    await pass(5_000)
    expect(outbox.ofSession(S).every(({ problem }) => !problem)).toBe(true)
    expect(server.requests.length).toBeGreaterThan(1)
    server.on(take)
    tab()
    await pass(10)
    expect([...taken.values()]).toEqual(['a', 'b'])
  })

  it.each([429, 502, 503, 504])('are sent again after a %i', async (status) => {
    const outbox = tab()
    let refusals = 3
    server.on(take)
    server.on((url) => (url.pathname.startsWith('/open') && refusals-- > 0 ? refusal(status, 'unavailable') : undefined))
    outbox.put(message('a'))
    await pass(60_000)
    expect([...taken.values()]).toEqual(['a'])
  })

  it('whose answer got lost count once', async () => {
    const outbox = tab()
    server.on(take)
    let lost = 1
    server.on(async (url, request) => {
      if (lost-- <= 0) return undefined
      await take(url, request)
      return new TypeError('Load failed')
    })
    outbox.put(message('a'))
    await pass(5_000)
    expect(posts).toEqual(['a', 'a'])
    expect([...taken.values()]).toEqual(['a'])
  })

  it('stay with the reason when they are refused, hold up nobody, and can be sent again or taken back', async () => {
    const outbox = tab()
    server.on(take)
    let full = true
    server.on(async (_, request) => {
      const { message } = (await request.clone().json()) as { message: string }
      return full && message !== 'c' ? refusal(429, 'quota_exceeded') : undefined
    })
    const [a, b] = [message('a'), message('b')]
    ;[a, b, message('c')].forEach(outbox.put)
    await pass(10)
    expect(outbox.ofSession(S).map(({ content, problem }) => [content, problem?.code])).toEqual([
      ['a', 'quota_exceeded'],
      ['b', 'quota_exceeded'],
    ])
    expect(posts).toEqual(['c'])
    full = false
    outbox.resend(a.clientMessageId)
    outbox.discard(b.clientMessageId)
    await pass(10)
    expect(posts).toEqual(['c', 'a'])
    expect(localStorage).toHaveLength(0)
  })

  it('of a login that ended wait for it, and nobody else sends them', async () => {
    server.on((url) => (url.pathname.startsWith('/open') ? refusal(401, 'unauthorized') : undefined))
    const outbox = tab()
    outbox.put(message('a'))
    await pass(60_000)
    expect(server.requests).toHaveLength(1)
    server.on(take)
    const others = tab(BOB)
    await pass(60_000)
    expect(others.ofSession(S)).toEqual([])
    expect(posts).toEqual([])
    useMe().me = { ...ADA }
    await pass(10)
    expect(posts).toEqual(['a'])
  })

  it('are sent at once when the network is back', async () => {
    const outbox = tab()
    outbox.put(message('a'))
    await pass(120_000)
    server.on(take)
    window.dispatchEvent(new Event('online'))
    await pass(10)
    expect([...taken.values()]).toEqual(['a'])
  })
})

describe('two tabs', () => {
  it('lose none and double none', async () => {
    server.on(() => new TypeError('x'))
    const first = tab()
    first.put(message('a'))
    await pass(100)
    const second = tab()
    second.put(message('b'))
    first.put(message('c', S))
    const kept = localStorage.length
    server.on(take)
    await pass(60_000)
    expect(kept).toBe(3)
    expect([...taken.values()].sort()).toEqual(['a', 'b', 'c'])
    expect(first.ofSession(S)).toEqual([])
    expect(second.ofSession(S)).toEqual([])
  })

  it('the one does not send what the other has sent or taken back', async () => {
    server.on(() => new TypeError('x'))
    const first = tab()
    const gone = message('a')
    first.put(gone)
    await pass(10)
    tab().discard(gone.clientMessageId)
    server.on(take)
    await pass(60_000)
    expect(posts).toEqual([])
    expect(first.ofSession(S)).toEqual([])
  })
})

describe('ids', () => {
  it('are UUIDs of version 7 in the order in which they are made, without randomUUID', () => {
    const ids = Array.from({ length: 5_000 }, () => newUuid(1_700_000_000_000))
    expect(new Set(ids).size).toBe(ids.length)
    expect([...ids].sort()).toEqual(ids)
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(true)
  })
})
