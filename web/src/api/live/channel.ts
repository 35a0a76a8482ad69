// The one way in which a tab hears of turns: a socket, and long polling where no socket can be
// opened. Whoever follows a session is told its events in order; after an interruption they go on
// where they ended.
import { Problem, api, data, onSignedOut } from '../client'
import { backoff } from './backoff'
import type { Envelope, Incoming } from './envelope'
import { PerFrame } from './frames'
import { Poll, type Level } from './poll'
import { noteEvent } from './serverTime'
import { Socket } from './socket'

export type ConnectionState = 'connecting' | 'online' | 'reconnecting' | 'polling' | 'offline'

/** Where a reader is in a stream. */
export interface Place {
  messageId: number
  subagentId?: number
  epoch: number
  seq: number
}

/** Whoever keeps what was heard. */
export interface Keeper {
  /** Where to go on in the session's streams. */
  places(sessionId: string): Place[]
  events(sessionId: string, events: Envelope[]): void
  /** From now on nothing of the session is missed; what happened before may be. */
  joined(sessionId: string): void
  /** After an interruption: so many events came that were missed. */
  caughtUp(sessionId: string, count: number): void
}

interface Followed {
  level: Level
  /** The socket heard that it is followed. */
  joined: boolean
  /** Where the reader was when the connection broke; what comes after that is counted. */
  before?: Place[]
  missed: number
  waiting: (() => void)[]
  poll?: Poll
}

/** Failures to open a socket after which, if the server answers otherwise, there is none to be had. */
const BLOCKED_AFTER = 2
/** How often a socket is tried while it seems blocked. */
const BLOCKED_RETRY_MS = 60_000
const MOST_BLOCKED_RETRY_MS = 300_000
/** How long to wait for the word that a session is followed. */
const JOIN_MS = 1_000
/** How long after a reconnect what comes counts as caught up. */
const CATCH_UP_MS = 1_000

export class LiveChannel {
  state: ConnectionState = 'connecting'
  /** Attempts since the connection was lost. */
  attempt = 0
  private readonly followed = new Map<string, Followed>()
  private keeper: Keeper | undefined
  private readonly stateListeners = new Set<(state: ConnectionState, attempt: number) => void>()
  private readonly caughtUpListeners = new Set<(count: number) => void>()
  private readonly eventListeners = new Set<(sessionId: string, events: Envelope[]) => void>()
  private readonly frames = new PerFrame<Envelope>((events) => this.hand(events))
  private socket: Socket | undefined
  /** A word came over the socket. */
  private proven = false
  private polling = false
  private failures = 0
  private timer: ReturnType<typeof setTimeout> | undefined
  private refused: ReturnType<typeof setTimeout> | undefined
  private stopped = true

  constructor() {
    onSignedOut(() => this.stop())
    window.addEventListener('online', () => this.wake())
    window.addEventListener('offline', () => this.socket?.check())
    window.addEventListener('pageshow', () => this.wake())
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.wake())
  }

  listen(keeper: Keeper): void {
    this.keeper = keeper
  }

  onState(listener: (state: ConnectionState, attempt: number) => void): void {
    this.stateListeners.add(listener)
  }

  onCaughtUp(listener: (count: number) => void): void {
    this.caughtUpListeners.add(listener)
  }

  onEvents(listener: (sessionId: string, events: Envelope[]) => void): void {
    this.eventListeners.add(listener)
  }

  /** Connects, if it is not connected: somebody is signed in. */
  start(): void {
    if (!this.stopped) return
    this.stopped = false
    this.connect()
  }

  /** Ends all connections, until `start`. */
  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
    this.drop()
    this.endPolls()
    this.failures = 0
    this.say('connecting', 0)
  }

  /** Follows a session. Resolves when nothing is missed from now on, or when that is not to be had soon. */
  async follow(sessionId: string, level: Level = 'turn'): Promise<void> {
    this.start()
    const known = this.followed.get(sessionId)
    if (known) return
    const followed: Followed = { level, joined: false, missed: 0, waiting: [] }
    this.followed.set(sessionId, followed)
    if (this.polling) this.poll(sessionId, followed)
    if (!this.socket?.isOpen) return
    const joined = new Promise<void>((resolve) => followed.waiting.push(resolve))
    this.subscribe(sessionId, followed)
    await Promise.race([joined, new Promise((resolve) => setTimeout(resolve, JOIN_MS))])
    followed.waiting = []
  }

  unfollow(sessionId: string): void {
    const followed = this.followed.get(sessionId)
    this.followed.delete(sessionId)
    followed?.poll?.close()
    if (followed) this.socket?.send({ type: 'unsubscribe', sessionId })
  }

  /** Whether subagents' own streams are followed, too. */
  setLevel(sessionId: string, level: Level): void {
    const followed = this.followed.get(sessionId)
    if (!followed || followed.level === level) return
    followed.level = level
    this.resume(sessionId)
  }

  /** Asks for what follows the reader's places once more. */
  resume(sessionId: string): void {
    const followed = this.followed.get(sessionId)
    if (!followed) return
    if (followed.poll) this.poll(sessionId, followed)
    else if (this.socket?.isOpen) this.subscribe(sessionId, followed)
  }

  private say(state: ConnectionState, attempt: number): void {
    if (this.state === state && this.attempt === attempt) return
    this.state = state
    this.attempt = attempt
    this.stateListeners.forEach((listener) => listener(state, attempt))
  }

  private connect(): void {
    clearTimeout(this.timer)
    if (this.stopped || this.socket) return
    this.proven = false
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const handlers = {
      opened: () => this.opened(),
      received: (incoming: Incoming) => this.received(incoming),
      ended: () => this.ended(),
    }
    try {
      this.socket = new Socket(`${scheme}://${location.host}/ws/netaclaw`, handlers)
    } catch {
      // Sockets are switched off in this browser.
      this.ended()
    }
  }

  private opened(): void {
    // A proxy may open it and let nothing through: it counts from the first word on.
    this.socket?.check()
    this.followed.forEach((followed, sessionId) => this.subscribe(sessionId, followed))
  }

  private subscribe(sessionId: string, { level }: Followed): void {
    const places = this.keeper?.places(sessionId) ?? []
    const mine = level === 'subagents' ? places : places.filter(({ subagentId }) => subagentId === undefined)
    // A place brings what follows it; with none the picture of each unfinished turn comes.
    const asked = mine.some(({ subagentId }) => subagentId === undefined) ? mine : [...mine, {}]
    asked.forEach((place) => this.socket?.send({ type: 'subscribe', sessionId, level, ...place }))
  }

  private received(incoming: Incoming): void {
    if (!this.proven) this.prove()
    if ('envelope' in incoming) {
      noteEvent(incoming.envelope.ts)
      return this.add(incoming.envelope)
    }
    const { frame } = incoming
    if (frame.type === 'subscribed') this.joined(frame.sessionId)
    if (frame.type === 'reconnect') this.reconnect(frame.afterMs)
    if (frame.type === 'problem' && frame.retryAfterSeconds != null) this.askAgain(frame.retryAfterSeconds)
  }

  /** Something was refused for a while, and the refusal does not say what: all that is followed is asked for again. */
  private askAgain(seconds: number): void {
    clearTimeout(this.refused)
    this.refused = setTimeout(() => this.followed.forEach((_, sessionId) => this.resume(sessionId)), Math.max(1, seconds) * 1_000)
  }

  /** The socket works. */
  private prove(): void {
    this.proven = true
    this.failures = 0
    if (this.polling) this.interrupted()
    this.endPolls()
    this.say('online', 0)
  }

  private joined(sessionId: string): void {
    const followed = this.followed.get(sessionId)
    if (!followed || followed.joined) return
    followed.joined = true
    this.countLater(sessionId, followed)
    const waiting = followed.waiting.splice(0)
    if (waiting.length > 0) waiting.forEach((resolve) => resolve())
    else this.keeper?.joined(sessionId)
  }

  private add(event: Envelope): void {
    const followed = this.followed.get(event.sessionId)
    if (followed?.before) followed.missed += missedBy(event, followed.before)
    this.frames.add(event)
  }

  private countLater(sessionId: string, followed: Followed): void {
    if (!followed.before) return
    setTimeout(() => {
      // Broken again meanwhile: it is counted after that.
      if (!followed.joined) return
      const count = followed.missed
      followed.before = undefined
      followed.missed = 0
      if (count === 0) return
      this.keeper?.caughtUp(sessionId, count)
      this.caughtUpListeners.forEach((listener) => listener(count))
    }, CATCH_UP_MS)
  }

  /** The server goes away and says when to come again. */
  private reconnect(afterMs: number): void {
    this.drop()
    this.say('reconnecting', 1)
    this.later(afterMs)
  }

  private ended(): void {
    const worked = this.proven
    this.drop()
    if (worked) {
      this.say(this.lost(), 1)
      return this.later(backoff(0))
    }
    this.failures += 1
    if (this.polling) return this.later(backoff(this.failures, BLOCKED_RETRY_MS / 4, MOST_BLOCKED_RETRY_MS))
    this.say(this.lost(), this.attempt + 1)
    this.later(backoff(this.failures - 1))
    void this.ask()
  }

  private lost(): ConnectionState {
    if (!navigator.onLine) return 'offline'
    return this.state === 'connecting' && this.failures < BLOCKED_AFTER ? 'connecting' : 'reconnecting'
  }

  /** A socket that does not open says nothing of the reason: whether we are known, and whether requests get through, is asked. */
  private async ask(): Promise<void> {
    try {
      await data(api.GET('/api/me'))
    } catch (error) {
      // A refusal is an answer, too; signed out, `stop` was called.
      if (!(error instanceof Problem)) return
    }
    if (!this.stopped && !this.proven && this.failures >= BLOCKED_AFTER && !this.polling) this.startPolls()
  }

  private startPolls(): void {
    this.polling = true
    this.say('polling', 0)
    this.later(BLOCKED_RETRY_MS)
    this.followed.forEach((followed, sessionId) => this.poll(sessionId, followed))
  }

  private poll(sessionId: string, followed: Followed): void {
    followed.poll?.close()
    followed.poll = new Poll(sessionId, followed.level, {
      joined: () => {
        if (followed.joined) this.keeper?.joined(sessionId)
        else this.joined(sessionId)
      },
      events: (events) => events.forEach((event) => this.add(event)),
      reached: (yes) => this.say(yes ? 'polling' : this.lost(), yes ? 0 : this.attempt + 1),
    })
  }

  private endPolls(): void {
    this.polling = false
    this.followed.forEach((followed) => {
      followed.poll?.close()
      followed.poll = undefined
    })
  }

  private drop(): void {
    clearTimeout(this.refused)
    this.socket?.close()
    this.socket = undefined
    this.proven = false
    if (!this.polling) this.interrupted()
  }

  /** What comes from now on may not be all, until it is joined again. */
  private interrupted(): void {
    this.frames.now()
    this.followed.forEach((followed, sessionId) => {
      if (followed.joined) followed.before ??= this.keeper?.places(sessionId)
      followed.joined = false
    })
  }

  private later(ms: number): void {
    clearTimeout(this.timer)
    if (!this.stopped) this.timer = setTimeout(() => this.connect(), ms)
  }

  /** Somebody looks, or the network is back: whatever was waited for is tried now. */
  private wake(): void {
    if (this.stopped) return
    this.followed.forEach(({ poll }) => poll?.wake())
    if (this.socket) this.socket.check()
    else this.connect()
  }

  private hand(events: Envelope[]): void {
    const bySession = new Map<string, Envelope[]>()
    for (const event of events) {
      const those = bySession.get(event.sessionId)
      if (those) those.push(event)
      else bySession.set(event.sessionId, [event])
    }
    bySession.forEach((those, sessionId) => {
      this.keeper?.events(sessionId, those)
      this.eventListeners.forEach((listener) => listener(sessionId, those))
    })
  }
}

/** How many events of the log that a reader was in it tells: one, or as a picture all that it stands for. */
function missedBy(event: Envelope, before: Place[]): number {
  const place = before.find(({ messageId, epoch }) => messageId === event.messageId && epoch === event.epoch)
  if (!place || event.seq <= place.seq) return 0
  return event.type === 'resync' ? event.seq - place.seq : 1
}
