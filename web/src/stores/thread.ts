// One session's turns as far as they are loaded: stored messages and live events put together, in
// whichever order they come. Pure: what has to be asked of the server is told as effects.
import type { Envelope, Place } from '@/api/live'
import type { Cursor, Message } from '@/api/types'
import { fromSnapshot, turnsOf, userOf, type Turn } from './turn'
import { apply } from './turnEvents'

export interface ThreadState {
  /** By the assistant message's id. */
  turns: Map<number, Turn>
  /** Subagents' own streams, by the subagent's id. */
  streams: Map<number, Turn>
  /** Events that can't be applied before something is loaded, by message. */
  waiting: Map<number, Envelope[]>
}

export interface Effects {
  /** Turns of which a part is missing. */
  fetch: Set<number>
  /** There are turns that are not known. */
  refresh: boolean
  /** A subagent's stream has a hole. */
  resume: boolean
  /** The session is gone. */
  deleted: boolean
  changed: boolean
}

/** The most events that are kept for one message; a snapshot stands for those that are dropped. */
const MOST_WAITING = 2000

export function newThread(): ThreadState {
  return { turns: new Map(), streams: new Map(), waiting: new Map() }
}

function noEffects(): Effects {
  return { fetch: new Set(), refresh: false, resume: false, deleted: false, changed: false }
}

/** Turns in their order. */
export function ordered(state: ThreadState): Turn[] {
  return [...state.turns.values()].sort((a, b) => a.messageId - b.messageId)
}

/** Takes in what came live, in the order in which it came. */
export function receive(state: ThreadState, events: Envelope[], effects = noEffects()): Effects {
  for (const event of events) take(state, event, effects)
  new Set(events.map(({ messageId }) => messageId)).forEach((id) => release(state, id, effects))
  return effects
}

/** What waited for a part that has come by now is applied, or is known. */
function release(state: ThreadState, messageId: number, effects: Effects): void {
  const waiting = state.waiting.get(messageId)
  if (!waiting || !state.turns.has(messageId)) return
  state.waiting.delete(messageId)
  effects.fetch.delete(messageId)
  for (const event of waiting) take(state, event, effects)
}

function take(state: ThreadState, event: Envelope, effects: Effects): void {
  if (event.type === 'session_deleted') {
    effects.deleted = true
    return
  }
  const turn = state.turns.get(event.messageId)
  if (!turn) {
    keep(state, event)
    effects.refresh = true
    return
  }
  if (turn.runId !== undefined && event.runId !== turn.runId) return takeOfSubagent(state, event, turn, effects)
  const outcome = apply(turn, event)
  if (outcome.kind === 'gap') {
    keep(state, event)
    effects.fetch.add(turn.messageId)
  } else if (outcome.kind === 'applied') {
    put(state, outcome.turn)
    effects.changed = true
  }
}

function takeOfSubagent(state: ThreadState, event: Envelope, turn: Turn, effects: Effects): void {
  const outcome = apply(state.streams.get(event.runId) ?? blank(turn, event.runId), event)
  if (outcome.kind === 'gap') effects.resume = true
  else if (outcome.kind === 'applied') {
    state.streams.set(event.runId, outcome.turn)
    effects.changed = true
  }
}

function blank({ messageId, sessionId, createTime }: Turn, runId: number): Turn {
  const nothing = { content: '', thinking: '', todos: [], tools: [], subagents: [], pauses: [] }
  return { ...nothing, messageId, sessionId, runId, createTime, status: 'queued', ended: false }
}

function keep(state: ThreadState, event: Envelope): void {
  const waiting = state.waiting.get(event.messageId) ?? []
  waiting.push(event)
  if (waiting.length > MOST_WAITING) waiting.splice(0, waiting.length - MOST_WAITING)
  state.waiting.set(event.messageId, waiting)
}

/** A turn that was deleted leaves; every other takes its place. */
function put(state: ThreadState, turn: Turn): void {
  if (turn.ended && turn.reason === 'deleted') state.turns.delete(turn.messageId)
  else state.turns.set(turn.messageId, turn)
}

/** Takes in a turn as the server has it, then what waited for that. */
export function merge(state: ThreadState, found: Turn, effects = noEffects()): Effects {
  const known = state.turns.get(found.messageId)
  put(state, known ? newer(known, found) : found)
  effects.changed = true
  release(state, found.messageId, effects)
  return effects
}

/** Of two states of one turn the later one, with all that either knows of who made it. */
function newer(known: Turn, found: Turn): Turn {
  const later = isLater(known, found) ? found : known
  return {
    ...later,
    user: known.user ?? found.user,
    agentId: found.agentId ?? known.agentId,
    agentName: found.agentName ?? known.agentName,
    modelName: found.modelName ?? known.modelName,
    startedAt: found.startedAt ?? known.startedAt,
    endedAt: later.ended ? (found.endedAt ?? known.endedAt) : undefined,
  }
}

function isLater(known: Turn, found: Turn): boolean {
  if (found.ended || known.ended) return found.ended
  if (!known.cursor || !found.cursor) return !known.cursor
  return isAfter(found.cursor, known.cursor)
}

function isAfter(a: Cursor, b: Cursor): boolean {
  return a.epoch === b.epoch ? a.seq > b.seq || a.epoch === 0 : a.epoch > b.epoch
}

/** One message of a turn as the server has it. */
export function mergeMessage(state: ThreadState, message: Message): Effects {
  return merge(state, fromSnapshot(message, state.turns.get(message.id)?.user))
}

export interface Page {
  messages: Message[]
  /** Whether there are older ones. */
  hasMore: boolean
}

/**
 * Takes in the newest page. `before` are the turns that were known when it was asked for: those of
 * them that should be on it and are not were deleted. Returns whether older turns that were loaded
 * still join on.
 */
export function mergeNewest(state: ThreadState, page: Page, before: ReadonlySet<number>): Effects & { joins: boolean } {
  const effects = noEffects()
  const turns = turnsOf(page.messages)
  const found = new Set(turns.map(({ messageId }) => messageId))
  const oldest = page.hasMore ? (page.messages[0]?.id ?? 0) : 0
  const joins = !page.hasMore || [...before].some((id) => found.has(id))
  for (const id of before) {
    if ((id >= oldest && !found.has(id)) || (id < oldest && !joins)) {
      state.turns.delete(id)
      state.waiting.delete(id)
      effects.changed = true
    }
  }
  for (const turn of turns) merge(state, turn, effects)
  return { ...effects, joins }
}

/** Takes in a page of older messages. */
export function mergeEarlier(state: ThreadState, page: Page): Effects {
  const effects = noEffects()
  for (const turn of turnsOf(page.messages)) merge(state, turn, effects)
  const last = page.messages.at(-1)
  // A page may end between a question and its answer.
  const answer = last?.role === 'user' ? ordered(state).find(({ messageId }) => messageId > last.id) : undefined
  if (last && answer && !answer.user) state.turns.set(answer.messageId, { ...answer, user: userOf(last) })
  return effects
}

/** Takes out a turn, or it and all later ones; by either message of it. */
export function cutFrom(state: ThreadState, messageId: number, alsoLater: boolean): void {
  const turns = ordered(state)
  const at = turns.findIndex((turn) => turn.messageId === messageId || turn.user?.id === messageId)
  if (at < 0) return
  for (const turn of turns.slice(at, alsoLater ? undefined : at + 1)) {
    state.turns.delete(turn.messageId)
    state.waiting.delete(turn.messageId)
  }
}

/** The user's message says something else from now on. */
export function editUser(state: ThreadState, userMessageId: number, content: string): void {
  for (const turn of state.turns.values()) {
    if (turn.user?.id === userMessageId) state.turns.set(turn.messageId, { ...turn, user: { ...turn.user, content } })
  }
}

/** Where a reader goes on: in each stream that has not ended. */
export function places(state: ThreadState): Place[] {
  const of = (turn: Turn, subagentId?: number): Place[] =>
    turn.cursor && !turn.ended ? [{ messageId: turn.messageId, subagentId, ...turn.cursor }] : []
  const ofSubagents = [...state.streams].flatMap(([id, turn]) =>
    state.turns.get(turn.messageId)?.ended === false ? of(turn, id) : [],
  )
  // Subagents first: what a turn's end says of them comes last.
  return [...ofSubagents, ...[...state.turns.values()].flatMap((turn) => of(turn))]
}
