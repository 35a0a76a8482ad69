// Messages on their way: kept until the server has them or they are taken back, sent in their order
// within a session, tried again while the server is away, and refused with a reason that stays.
import { defineStore } from 'pinia'
import { reactive, watch } from 'vue'
import { Problem, api, data } from '@/api/client'
import { backoff } from '@/api/live/backoff'
import { isTransient } from '@/api/problem'
import type { ChatAnswer } from '@/api/types'
import { useMe } from './me'
import { erase, onOthers, read, readAll, write, type Kept } from './outboxStorage'
import type { OutgoingMessage } from './turn'

/** After so long a request without an answer is tried again. */
const PATIENCE_MS = 30_000
/** After so long a tab goes on though another one holds the lock: the server takes each message once. */
const LOCK_MS = 5_000
/** After so long a tab sees to what another one has written. */
const OTHERS_MS = 3_000

export interface Accepted {
  message: OutgoingMessage
  /** Missing where another tab sent it. */
  answer?: ChatAnswer
}

export const useOutbox = defineStore('outbox', () => {
  const me = useMe()
  const messages = reactive(new Map<string, OutgoingMessage>())
  const owners = new Map<string, string>()
  /** Written to storage: what is missing there later was sent or taken back by another tab. */
  const stored = new Set<string>()
  const pumps = new Map<string, { wake: () => void; again: boolean }>()
  const listeners = new Set<(accepted: Accepted) => void | Promise<void>>()

  function owner(): string | undefined {
    const now = me.me
    return now && `${now.tenant.id}:${now.user?.id ?? now.actor}`
  }

  function adopt(kept: Kept): void {
    messages.set(kept.message.clientMessageId, kept.message)
    owners.set(kept.message.clientMessageId, kept.owner)
  }

  function save(message: OutgoingMessage): void {
    const kept = { message, owner: owners.get(message.clientMessageId) || (owner() ?? '') }
    adopt(kept)
    if (write(kept)) stored.add(message.clientMessageId)
  }

  function forget(clientMessageId: string): void {
    messages.delete(clientMessageId)
    owners.delete(clientMessageId)
    stored.delete(clientMessageId)
  }

  function ofSession(sessionId: string): OutgoingMessage[] {
    const mine = owner()
    return [...messages.values()]
      .filter((m) => m.sessionId === sessionId && (!mine || (owners.get(m.clientMessageId) || mine) === mine))
      .sort((a, b) => (a.clientMessageId < b.clientMessageId ? -1 : 1))
  }

  function put(message: OutgoingMessage): void {
    save(message)
    pump(message.sessionId)
  }

  function resend(clientMessageId: string): void {
    const message = messages.get(clientMessageId)
    if (!message) return
    // What it was to replace is gone: it can only be said anew.
    const replaces = message.problem?.field === 'replaces' ? undefined : message.replaces
    put({ ...message, replaces, problem: undefined })
  }

  function discard(clientMessageId: string): void {
    forget(clientMessageId)
    erase(clientMessageId)
  }

  /** Calls back with every message that the server has from now on. Returns how to stop that. */
  function onAccepted(listener: (accepted: Accepted) => void | Promise<void>): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  function accepted(done: Accepted): void {
    listeners.forEach((listener) => void listener(done))
    discard(done.message.clientMessageId)
  }

  function refused(message: OutgoingMessage, problem: Problem): void {
    if (!messages.has(message.clientMessageId)) return
    const { code, message: text, field, retryAfter } = problem
    save({ ...message, problem: { code, message: text, field, retryAfter } })
  }

  /** Sends the session's first message. Undefined: there is none; else ms to wait before the next attempt. */
  async function sendFirst(sessionId: string, attempt: number): Promise<number | undefined> {
    const next = ofSession(sessionId).find((m) => !m.problem)
    if (!next) return undefined
    if (stored.has(next.clientMessageId) && !read(next.clientMessageId)) {
      await doneElsewhere(next)
      return 0
    }
    const who = me.me
    try {
      if (!me.me) {
        await me.load()
        return 0
      }
      accepted({ message: next, answer: await post(next) })
      return 0
    } catch (error) {
      // Somebody may have signed in while this was on its way: then nobody wakes us any more.
      if (error instanceof Problem && error.status === 401) return me.me === who ? Infinity : 0
      if (error instanceof Problem && (!isTransient(error) || error.code === 'quota_exceeded')) {
        refused(next, error)
        return 0
      }
      const least = error instanceof Problem ? (error.retryAfter ?? 0) * 1000 : 0
      return Math.max(least, backoff(attempt))
    }
  }

  async function post(message: OutgoingMessage): Promise<ChatAnswer> {
    const { content, sessionId, agentId, clientMessageId, policy, replaces } = message
    // The server begins a session under an id that it does not know, with an agent of its choice: a chat
    // that was deleted meanwhile must not come back so.
    if (!message.begins) await data(api.GET('/api/sessions/{id}/messages', { params: { path: { id: sessionId }, query: { limit: 1 } } }))
    const body = { message: content, sessionId, agentId, clientMessageId, policy, replaces, wait: 0 }
    const answer = await data(api.POST('/open/netaclaw/chat', { body, signal: AbortSignal.timeout(PATIENCE_MS) }))
    return answer as ChatAnswer
  }

  /** Sends what the session has, one after the other, until nothing is left. One at a time for each session. */
  function pump(sessionId: string): void {
    const running = pumps.get(sessionId)
    if (!running) return void run(sessionId)
    running.again = true
    running.wake()
  }

  async function run(sessionId: string): Promise<void> {
    const state = { wake: () => {}, again: false }
    pumps.set(sessionId, state)
    let attempt = 0
    for (;;) {
      const wait = await exclusively(`neta.outbox.${sessionId}`, () => sendFirst(sessionId, attempt))
      if (wait === undefined && !state.again) break
      state.again = false
      if (wait === undefined) continue
      attempt = wait === 0 ? 0 : attempt + 1
      if (wait > 0) await sleep(wait, (wake) => (state.wake = wake))
    }
    pumps.delete(sessionId)
  }

  /** Tries everything again now: the server is back, or somebody signed in. */
  function wake(): void {
    new Set([...messages.values()].map((m) => m.sessionId)).forEach(pump)
  }

  /** It leaves when whoever shows it has what became of it. */
  async function doneElsewhere(message: OutgoingMessage): Promise<void> {
    await Promise.allSettled([...listeners].map((listener) => listener({ message })))
    forget(message.clientMessageId)
  }

  for (const kept of readAll()) {
    adopt(kept)
    stored.add(kept.message.clientMessageId)
  }
  wake()
  watch(() => me.me, wake)
  window.addEventListener('online', wake)
  onOthers((clientMessageId, kept) => {
    const known = messages.get(clientMessageId)
    if (kept) {
      adopt(kept)
      stored.add(clientMessageId)
      // The tab that wrote it sends it, as long as it is there.
      setTimeout(() => pump(kept.message.sessionId), OTHERS_MS)
    } else if (known) void doneElsewhere(known)
  })

  return { messages, ofSession, put, resend, discard, onAccepted, wake }
})

function sleep(ms: number, wakeable: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined
    wakeable(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Runs it while no other tab does the same, where the browser can tell. */
async function exclusively<T>(name: string, task: () => Promise<T>): Promise<T> {
  if (!('locks' in navigator) || !navigator.locks) return task()
  let begun = false
  try {
    return await navigator.locks.request(name, { signal: AbortSignal.timeout(LOCK_MS) }, () => {
      begun = true
      return task()
    })
  } catch (error) {
    if (begun) throw error
    return task()
  }
}
