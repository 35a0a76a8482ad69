// One WebSocket from its opening to its end. It ends by itself when nothing comes for two heartbeats;
// nothing is heard of it after its end.
import { parseFrame, type Incoming } from './envelope'

/** Opening takes at most so long. */
const OPEN_MS = 10_000
/** After so long without a word the server is asked for one. */
export const HEARTBEAT_MS = 25_000
/** What a check on demand takes at most. */
const CHECK_MS = 5_000

export interface SocketHandlers {
  opened(): void
  received(incoming: Incoming): void
  /** Told once, however it ends, except by `close`. */
  ended(): void
}

/** A session that is none: not to follow it is answered, and changes nothing. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

export class Socket {
  private readonly socket: WebSocket
  private timer: ReturnType<typeof setTimeout> | undefined
  private over = false

  constructor(
    url: string,
    private readonly handlers: SocketHandlers,
  ) {
    this.socket = new WebSocket(url)
    this.expect(OPEN_MS, () => this.end())
    this.socket.onopen = () => {
      this.heard()
      handlers.opened()
    }
    this.socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      this.heard()
      const incoming = typeof data === 'string' ? parseFrame(data) : undefined
      if (incoming) handlers.received(incoming)
    }
    this.socket.onclose = () => this.end()
    this.socket.onerror = () => this.end()
  }

  get isOpen(): boolean {
    return !this.over && this.socket.readyState === WebSocket.OPEN
  }

  send(frame: object): void {
    if (this.isOpen) this.socket.send(JSON.stringify(frame))
  }

  /** Asks for a sign of life; without one soon, it is over. Browsers show no pings of the server. */
  check(patience = CHECK_MS): void {
    if (!this.isOpen) return
    this.send({ type: 'unsubscribe', sessionId: NOBODY })
    this.expect(patience, () => this.end())
  }

  /** Ends it without a word. */
  close(): void {
    this.over = true
    clearTimeout(this.timer)
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = this.socket.onerror = null
    this.socket.close()
  }

  private heard(): void {
    this.expect(HEARTBEAT_MS, () => this.check(HEARTBEAT_MS))
  }

  private expect(ms: number, otherwise: () => void): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(otherwise, ms)
  }

  private end(): void {
    if (this.over) return
    this.close()
    this.handlers.ended()
  }
}
