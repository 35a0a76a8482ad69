// The threads of sessions: loaded from the server, kept up to date by events, and what people do to
// their turns.
import { defineStore } from 'pinia'
import { reactive, shallowReactive } from 'vue'
import { Problem, api, data } from '@/api/client'
import { backoff } from '@/api/live/backoff'
import { useLiveChannel } from '@/api/live'
import { isTransient } from '@/api/problem'
import type { Message, RunStatus, ToolActivity } from '@/api/types'
import { newUuid } from '@/api/uuid'
import { serverNow } from '@/composables/useClock'
import { useOutbox, type Accepted } from './outbox'
import { usePauses } from './pauses'
import * as threads from './thread'
import type { OutgoingMessage, Turn } from './turn'

/** What a page sees of a session. */
export interface Thread {
  /** In their order; those that are `queued` behind a live one, too. */
  turns: Turn[]
  hasEarlier: boolean
  /** Nothing is known yet. */
  loading: boolean
  loadingEarlier: boolean
  /** The session can't be shown; never that the server is away. */
  error?: Problem
  /** The session was deleted, or never was. */
  gone: boolean
  /** After a reconnect, for a moment: how many events were missed and came. */
  caughtUp?: number
}

/** A subagent at work, as its own stream tells. */
export interface SubagentLive {
  content: string
  thinking: string
  tools: ToolActivity[]
  status: RunStatus
}

export interface NewMessage {
  /** None: a new session. */
  sessionId?: string
  agentId?: number
  content: string
  policy?: 'enqueue' | 'interrupt'
  replaces?: number
}

interface Entry {
  id: string
  view: Thread
  state: threads.ThreadState
  opened: number
  watched: number
  refreshing?: Promise<void>
  again: boolean
  fetching: Set<number>
  described: Set<number>
}

/** Messages on a page: 30 turns. */
const PAGE = 60
/** How long a page says how much was caught up. */
const CAUGHT_UP_MS = 3_000
/** Sessions that stay loaded after they were left. */
const MOST_CLOSED = 8

export const useTurns = defineStore('turns', () => {
  const channel = useLiveChannel()
  const outbox = useOutbox()
  const entries = new Map<string, Entry>()
  /** Made here, and not known to the server yet. */
  const fresh = new Set<string>()
  const streams = shallowReactive(new Map<number, SubagentLive>())
  const stopping = reactive({ turns: new Set<number>(), subagents: new Set<number>() })

  function entryOf(id: string): Entry {
    const known = entries.get(id)
    if (known) return known
    const view = shallowReactive<Thread>({ turns: [], hasEarlier: false, loading: !fresh.has(id), loadingEarlier: false, gone: false })
    const entry: Entry = {
      id,
      view,
      state: threads.newThread(),
      opened: 0,
      watched: 0,
      again: false,
      fetching: new Set(),
      described: new Set(),
    }
    entries.set(id, entry)
    return entry
  }

  function thread(sessionId: string): Thread {
    return entryOf(sessionId).view
  }

  /** Shows the session from now on; each `open` has its `close`. */
  function open(sessionId: string): void {
    const entry = entryOf(sessionId)
    entry.opened += 1
    if (entry.opened > 1 || fresh.has(sessionId)) return
    Object.assign(entry.view, { gone: false, error: undefined, loading: entry.view.turns.length === 0 })
    void follow(entry)
  }

  async function follow(entry: Entry): Promise<void> {
    await channel.follow(entry.id, entry.watched > 0 ? 'subagents' : 'turn')
    if (entry.opened > 0) await refresh(entry)
  }

  function close(sessionId: string): void {
    const entry = entries.get(sessionId)
    if (!entry || entry.opened === 0) return
    entry.opened -= 1
    if (entry.opened > 0) return
    channel.unfollow(sessionId)
    const closed = [...entries.values()].filter(({ opened }) => opened === 0)
    closed.slice(0, Math.max(0, closed.length - MOST_CLOSED)).forEach(({ id }) => entries.delete(id))
  }

  /** Asks for the newest page. While it is under way, a further call has it asked once more. */
  function refresh(entry: Entry): Promise<void> {
    if (entry.refreshing) entry.again = true
    entry.refreshing ??= refreshUntilDone(entry).finally(() => (entry.refreshing = undefined))
    return entry.refreshing
  }

  async function refreshUntilDone(entry: Entry): Promise<void> {
    for (let attempt = 0; entry.opened > 0; ) {
      entry.again = false
      try {
        await loadNewest(entry)
        if (!entry.again) return
        attempt = 0
      } catch (error) {
        if (!isTransient(error)) return failed(entry, error)
        await new Promise((resolve) => setTimeout(resolve, backoff(attempt)))
        attempt += 1
      }
    }
  }

  async function loadNewest(entry: Entry): Promise<void> {
    const before = new Set(entry.state.turns.keys())
    const path = { id: entry.id }
    const page = await data(api.GET('/api/sessions/{id}/messages', { params: { path, query: { limit: PAGE } } }))
    const effects = threads.mergeNewest(entry.state, { messages: page.items, hasMore: page.hasMore }, before)
    if (!effects.joins || before.size === 0) entry.view.hasEarlier = page.hasMore
    entry.view.loading = false
    entry.view.error = undefined
    settle(entry, { ...effects, changed: true, refresh: false })
  }

  function failed(entry: Entry, error: unknown): void {
    if (!(error instanceof Problem) || error.status === 401) return
    entry.view.loading = false
    if (error.status !== 404) entry.view.error = error
    // A message that is still on its way makes the session.
    else if (outbox.ofSession(entry.id).length === 0) leave(entry)
    else fresh.add(entry.id)
  }

  function leave(entry: Entry): void {
    channel.unfollow(entry.id)
    entry.state = threads.newThread()
    Object.assign(entry.view, { turns: [], gone: true, loading: false, hasEarlier: false })
  }

  async function loadEarlier(sessionId: string): Promise<void> {
    const entry = entryOf(sessionId)
    const oldest = entry.view.turns[0]
    if (!oldest || !entry.view.hasEarlier || entry.view.loadingEarlier) return
    entry.view.loadingEarlier = true
    try {
      const query = { limit: PAGE, before: oldest.user?.id ?? oldest.messageId }
      const page = await data(api.GET('/api/sessions/{id}/messages', { params: { path: { id: sessionId }, query } }))
      settle(entry, threads.mergeEarlier(entry.state, { messages: page.items, hasMore: page.hasMore }))
      entry.view.hasEarlier = page.hasMore
      publish(entry)
    } finally {
      entry.view.loadingEarlier = false
    }
  }

  /** Carries out what taking something in asks for. */
  function settle(entry: Entry, effects: threads.Effects): void {
    if (effects.deleted) return leave(entry)
    effects.fetch.forEach((messageId) => void fetchTurn(entry, messageId))
    if (effects.refresh && !entry.view.loading) void refresh(entry)
    if (effects.resume) channel.resume(entry.id)
    if (effects.changed) publish(entry)
  }

  function publish(entry: Entry): void {
    entry.view.turns = threads.ordered(entry.state)
    for (const turn of entry.view.turns) {
      if (turn.ended) stopping.turns.delete(turn.messageId)
      if (turn.ended || turn.status === 'running') describe(entry, turn)
      for (const item of turn.subagents.flatMap((batch) => batch.items)) {
        if (item.status !== 'queued' && item.status !== 'running') stopping.subagents.delete(item.id)
      }
    }
    entry.state.streams.forEach((stream, id) => {
      if (streams.get(id) !== stream) streams.set(id, stream)
    })
  }

  /** Who answers is not told by events: it is asked once. */
  function describe(entry: Entry, turn: Turn): void {
    if (turn.agentName !== undefined || entry.described.has(turn.messageId)) return
    entry.described.add(turn.messageId)
    void fetchTurn(entry, turn.messageId)
  }

  /** Asks for one turn, of which something is missing, until the server answers. */
  async function fetchTurn(entry: Entry, messageId: number): Promise<void> {
    if (entry.fetching.has(messageId)) return
    entry.fetching.add(messageId)
    for (let attempt = 0; entry.opened > 0; attempt += 1) {
      try {
        const found = await findMessage(entry.id, messageId)
        entry.fetching.delete(messageId)
        if (found) settle(entry, threads.mergeMessage(entry.state, found))
        else void refresh(entry)
        return
      } catch (error) {
        if (!isTransient(error)) break
        await new Promise((resolve) => setTimeout(resolve, backoff(attempt)))
      }
    }
    entry.fetching.delete(messageId)
  }

  async function findMessage(sessionId: string, messageId: number): Promise<Message | undefined> {
    const params = { path: { id: sessionId }, query: { after: messageId - 1, limit: 1 } }
    const { items } = await data(api.GET('/api/sessions/{id}/messages', { params }))
    return items.find(({ id }) => id === messageId)
  }

  /** Puts a message on its way; returns its session, which is new without `sessionId`. */
  function send({ sessionId, agentId, content, policy = 'enqueue', replaces }: NewMessage): string {
    const id = sessionId ?? newUuid()
    if (!sessionId) fresh.add(id)
    const begins = fresh.has(id)
    const createTime = new Date(serverNow()).toISOString()
    outbox.put({ clientMessageId: newUuid(), sessionId: id, agentId, content, policy, begins, replaces, createTime })
    return id
  }

  /** Messages that the server has not accepted yet, oldest first. */
  function outgoing(sessionId: string): OutgoingMessage[] {
    const known = new Set(thread(sessionId).turns.map((turn) => turn.user?.clientMessageId))
    return outbox.ofSession(sessionId).filter(({ clientMessageId }) => !known.has(clientMessageId))
  }

  async function onAccepted({ message, answer }: Accepted): Promise<void> {
    const began = fresh.delete(message.sessionId)
    const entry = entries.get(message.sessionId)
    if (!entry || entry.opened === 0) return
    if (message.replaces !== undefined) threads.cutFrom(entry.state, message.replaces, true)
    if (answer) {
      const { content, createTime, clientMessageId } = message
      const user = { id: answer.userMessageId, content, createTime, clientMessageId }
      settle(entry, threads.merge(entry.state, acceptedTurn(message, answer.assistantMessageId, answer.runId, user)))
    }
    entry.view.loading = false
    if (began) await follow(entry)
    else if (!answer || answer.status !== 'queued') await refresh(entry)
  }

  /** Stops a turn, or one of its subagents; it is stopping until the server says that it ended. */
  async function stop(messageId: number, subagentId?: number): Promise<void> {
    const [set, id] = subagentId === undefined ? [stopping.turns, messageId] : [stopping.subagents, subagentId]
    set.add(id)
    try {
      if (subagentId !== undefined) {
        await data(api.POST('/api/subagents/{id}/stop', { params: { path: { id: subagentId } } }))
        return
      }
      const turn = [...entries.values()].map(({ state }) => state.turns.get(messageId)).find(Boolean)
      if (turn?.runId !== undefined) await data(api.POST('/api/runs/{id}/stop', { params: { path: { id: turn.runId } } }))
    } catch (error) {
      set.delete(id)
      throw error
    }
  }

  function isStopping(messageId: number): boolean {
    return stopping.turns.has(messageId)
  }

  function isStoppingSubagent(subagentId: number): boolean {
    return stopping.subagents.has(subagentId)
  }

  function answer(pauseId: number, text: string) {
    return usePauses().answer(pauseId, text)
  }

  /** Changes what is said in a turn that never began; once it began it is refused with `turn_started`. */
  async function editQueued(sessionId: string, userMessageId: number, content: string): Promise<void> {
    const params = { path: { id: sessionId, messageId: userMessageId } }
    await data(api.PATCH('/api/sessions/{id}/messages/{messageId}', { params, body: { content } }))
    const entry = entryOf(sessionId)
    threads.editUser(entry.state, userMessageId, content)
    publish(entry)
  }

  /** Removes a turn: both of its messages, and its work. */
  async function removeTurn(sessionId: string, messageId: number): Promise<void> {
    await data(api.DELETE('/api/sessions/{id}/messages/{messageId}', { params: { path: { id: sessionId, messageId } } }))
    const entry = entryOf(sessionId)
    threads.cutFrom(entry.state, messageId, false)
    publish(entry)
  }

  /** Whether subagents' own streams are followed; each `true` has its `false`. */
  function watchSubagents(sessionId: string, on: boolean): void {
    const entry = entryOf(sessionId)
    entry.watched = Math.max(0, entry.watched + (on ? 1 : -1))
    if (entry.watched === (on ? 1 : 0)) channel.setLevel(sessionId, on ? 'subagents' : 'turn')
    if (entry.watched > 0) return
    entry.state.streams.forEach((_, id) => streams.delete(id))
    entry.state.streams.clear()
  }

  /** What is known of a subagent at work; nothing before its stream began to come. */
  function subagentLive(subagentId: number): SubagentLive | undefined {
    return streams.get(subagentId)
  }

  outbox.onAccepted(onAccepted)
  channel.listen({
    places: (sessionId) => threads.places(entryOf(sessionId).state),
    events(sessionId, events) {
      const entry = entries.get(sessionId)
      if (entry) settle(entry, threads.receive(entry.state, events))
    },
    joined(sessionId) {
      const entry = entries.get(sessionId)
      if (entry && !entry.view.loading) void refresh(entry)
    },
    caughtUp(sessionId, count) {
      const entry = entries.get(sessionId)
      if (!entry) return
      entry.view.caughtUp = count
      setTimeout(() => (entry.view.caughtUp = undefined), CAUGHT_UP_MS)
    },
  })
  channel.onState((state) => {
    if (state === 'online' || state === 'polling') outbox.wake()
  })

  return {
    thread,
    open,
    close,
    loadEarlier,
    send,
    outgoing,
    resend: outbox.resend,
    discard: outbox.discard,
    stop,
    isStopping,
    isStoppingSubagent,
    answer,
    editQueued,
    removeTurn,
    watchSubagents,
    subagentLive,
  }
})

function acceptedTurn(message: OutgoingMessage, messageId: number, runId: number, user: Turn['user']): Turn {
  return {
    messageId,
    sessionId: message.sessionId,
    runId,
    user,
    status: 'queued',
    content: '',
    thinking: '',
    todos: [],
    tools: [],
    subagents: [],
    pauses: [],
    agentId: message.agentId,
    createTime: message.createTime,
    ended: false,
  }
}
