// A refusal or a failure of a request, as everything above `api/` sees it.
import type { ProblemBody } from './types'

/** The server refused, with a stable `code`; `body` is the whole problem. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly body?: ProblemBody,
    /** Seconds after which the same request may succeed. */
    readonly retryAfter?: number,
  ) {
    super(message)
    this.name = 'Problem'
  }

  get field(): string | undefined {
    return this.body?.field ?? undefined
  }
}

/** No answer came: the network or the server is away. Trying again is right. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('the server was not reached', { cause })
    this.name = 'Unreachable'
  }
}

/** Whether the same request may succeed later without anybody's doing. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Problem) return error.status === 429 || error.status === 502 || error.status === 503 || error.status === 504
  return error instanceof Unreachable
}

function isProblem(body: unknown): body is ProblemBody {
  return typeof body === 'object' && body !== null && typeof (body as ProblemBody).code === 'string'
}

/** A refusal from an answer that is no success. */
export function problemOf(response: Response, body: unknown): Problem {
  const seconds = Number(response.headers.get('retry-after'))
  const retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds : undefined
  if (isProblem(body)) return new Problem(response.status, body.code, body.detail, body, retryAfter)
  return new Problem(response.status, 'unexpected', `${response.status} ${response.statusText}`.trim(), undefined, retryAfter)
}
