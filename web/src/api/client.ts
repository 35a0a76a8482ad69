// The one place that does HTTP. Paths, parameters and answers are typed by the OpenAPI document.
import createClient from 'openapi-fetch'
import { noteAnswer } from './live/serverTime'
import { Problem, Unreachable, problemOf } from './problem'
import type { paths } from './schema'

/** Calls are made as `api.GET('/api/agents/{id}', …)` inside `data(...)`. */
export const api = createClient<paths>({
  credentials: 'same-origin',
  // Looked up at each call, so that a page's own fetch can be replaced.
  fetch: async (request) => {
    const asked = Date.now()
    const response = await globalThis.fetch(request)
    noteAnswer(response, asked)
    return response
  },
})

type Listener = () => void
const listeners = new Set<Listener>()

/** Calls `listener` when the server no longer knows who we are. Returns how to stop that. */
export function onSignedOut(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For those that do not go through `api`, as the socket. */
export function signedOut(): void {
  listeners.forEach((listener) => listener())
}

interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

/** The data of a call, or a `Problem` or `Unreachable` is thrown. Every failed fetch is Unreachable, whatever words the browser has for it. */
export async function data<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>
  try {
    answer = await call
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new Unreachable(cause)
  }
  if (answer.response.ok) return answer.data as T
  const problem = problemOf(answer.response, answer.error)
  if (problem.status === 401 && problem.code === 'unauthorized') signedOut()
  throw problem
}

export { Problem, Unreachable }
