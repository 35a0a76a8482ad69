// Long polling of one session, where no socket can be opened: the same events.
import { Problem, api, data } from '../client'
import type { Envelope } from './envelope'
import { backoff } from './backoff'
import { isTransient } from '../problem'

const WAIT_SECONDS = 25
/** An answer that does not come so long after it should have, does not come. */
const PATIENCE_MS = (WAIT_SECONDS + 15) * 1000

export type Level = 'turn' | 'subagents'

export interface PollHandlers {
  /** The first answer came: from now on nothing is missed. */
  joined(): void
  events(events: Envelope[]): void
  /** Whether the last request was answered. */
  reached(yes: boolean): void
}

export class Poll {
  private cursor: string | undefined
  private readonly stop = new AbortController()
  private wakeUp = (): void => {}

  constructor(
    private readonly sessionId: string,
    private readonly level: Level,
    private readonly handlers: PollHandlers,
  ) {
    void this.run()
  }

  close(): void {
    this.stop.abort()
    this.wakeUp()
  }

  /** Tries again now. */
  wake(): void {
    this.wakeUp()
  }

  private async run(): Promise<void> {
    let attempt = 0
    while (!this.stop.signal.aborted) {
      try {
        const joins = this.cursor === undefined
        const { events, cursor } = await this.ask()
        if (this.stop.signal.aborted) return
        this.cursor = cursor
        attempt = 0
        this.handlers.reached(true)
        if (joins) this.handlers.joined()
        if (events.length > 0) this.handlers.events(events)
      } catch (error) {
        if (this.stop.signal.aborted) return
        const refused = error instanceof Problem && !isTransient(error)
        this.handlers.reached(refused)
        if (refused) {
          // The cursor is of no use any more, or the session is gone: whoever keeps it asks for it.
          this.cursor = undefined
          this.handlers.joined()
        }
        await this.sleep(backoff(attempt))
        attempt += 1
      }
    }
  }

  private ask() {
    const query = { cursor: this.cursor, wait: this.cursor === undefined ? 0 : WAIT_SECONDS, level: this.level }
    const signal = AbortSignal.any([this.stop.signal, AbortSignal.timeout(PATIENCE_MS)])
    return data(api.GET('/api/sessions/{id}/events', { params: { path: { id: this.sessionId }, query }, signal }))
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
