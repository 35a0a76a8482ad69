// A server for tests: its sockets, and what it answers to requests.
import { vi } from 'vitest'

export class FakeSocket {
  static readonly OPEN = 1
  static all: FakeSocket[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: (() => void) | null = null
  onerror: (() => void) | null = null
  readyState = 0
  sent: Record<string, unknown>[] = []

  constructor(readonly url: string) {
    FakeSocket.all.push(this)
  }

  static get last(): FakeSocket {
    const socket = FakeSocket.all.at(-1)
    if (!socket) throw new Error('no socket was opened')
    return socket
  }

  /** Those that are not closed. */
  static get live(): FakeSocket[] {
    return FakeSocket.all.filter(({ readyState }) => readyState < 2)
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>)
  }

  close(): void {
    this.readyState = 3
  }

  /** It opens, and every frame that asks for a word has it. */
  accept(): this {
    this.readyState = 1
    this.onopen?.()
    this.acknowledge()
    return this
  }

  /** Answers what was sent since the last time. */
  acknowledge(): void {
    for (const { type, sessionId } of this.sent.splice(0)) {
      if (type === 'unsubscribe') this.say({ type: 'unsubscribed', sessionId })
      if (type === 'subscribe') this.say({ type: 'subscribed', sessionId })
    }
  }

  say(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) })
  }

  fail(): void {
    this.readyState = 3
    this.onerror?.()
    this.onclose?.()
  }
}

type Answer = { status?: number; body?: unknown } | Error
export type Handler = (url: URL, request: Request) => Answer | undefined | Promise<Answer | undefined>

/** Puts a fake server behind the page's `fetch` and `WebSocket`. Requests that no handler knows fail as without a network. */
export function fakeServer(): { on: (handler: Handler) => void; requests: string[] } {
  const handlers: Handler[] = []
  const requests: string[] = []
  FakeSocket.all = []
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('fetch', async (request: Request) => {
    const url = new URL(request.url)
    requests.push(`${request.method} ${url.pathname}${url.search}`)
    for (const handler of handlers) {
      const answer = await handler(url, request)
      if (answer instanceof Error) throw answer
      if (answer) return respond(answer)
    }
    throw new TypeError('Load failed')
  })
  return { on: (handler) => handlers.unshift(handler), requests }
}

function respond({ status = 200, body }: { status?: number; body?: unknown }): Response {
  const headers = { 'content-type': 'application/json' }
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers })
}

export function refusal(status: number, code: string): Answer {
  return { status, body: { type: 'about:blank', title: code, status, detail: code, code } }
}
