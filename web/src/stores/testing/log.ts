// A turn as a server tells it, for tests: its log, what the log adds up to, and its stored message.
import type { Envelope } from '@/api/live'
import type { Event, Message, SubagentBatch, SubagentItem, SubagentStatus, TurnView } from '@/api/types'

export const SESSION = '0193b3a0-0000-7000-8000-000000000001'
const TS = '2026-12-01T10:00:00.000Z'

export interface Ids {
  sessionId: string
  messageId: number
  runId: number
}

export const IDS: Ids = { sessionId: SESSION, messageId: 2, runId: 7 }

/** Numbers events from 1. */
export function numbered(events: Event[], epoch = 1, ids = IDS): Envelope[] {
  return events.map((event, n) => envelope(event, n + 1, epoch, ids))
}

export function envelope(event: Event, seq: number, epoch = 1, ids = IDS): Envelope {
  return { v: 1, ...ids, ts: TS, seq, epoch, ...event }
}

export function accepted(ids = IDS): Event {
  return { type: 'run_accepted', data: { userMessageId: ids.messageId - 1, assistantMessageId: ids.messageId, runId: ids.runId } }
}

export function text(text: string): Event {
  return { type: 'text_delta', data: { text } }
}

export function item(id: number, sortOrder: number, status: SubagentStatus, more: Partial<SubagentItem> = {}): SubagentItem {
  return { id, name: `s${id}`, sourceType: 'clone', status, goal: `goal ${id}`, sortOrder, ...more }
}

export function batchStart(batchId: string, total: number, messageId = IDS.messageId): Event {
  return { type: 'subagent_batch_start', data: { parentMessageId: messageId, batchId, title: `title ${batchId}`, total } as never }
}

export function update(batchId: string, subagent: SubagentItem, messageId = IDS.messageId): Event {
  return { type: 'subagent_update', data: { parentMessageId: messageId, batchId, subagent } }
}

/** What the events add up to, told in another way than the page's: from the last word on each thing. */
export function pictureOf(events: Event[], ids = IDS): TurnView {
  const view: TurnView = {
    userMessageId: ids.messageId - 1,
    assistantMessageId: ids.messageId,
    runId: ids.runId,
    status: 'queued',
    content: textOf(events, 'text_delta', 'text'),
    thinking: textOf(events, 'thinking_delta', 'thinking'),
    todos: last(events, 'todo_update')?.data.items ?? [],
    tools: [],
    subagents: batchesOf(events, ids),
    pauses: [],
  }
  const status = last(events, 'status')
  if (status) Object.assign(view, status.data)
  const usage = last(events, 'usage')
  if (usage) view.usage = { inputTokens: usage.data.inputTokens, outputTokens: usage.data.outputTokens }
  return view
}

type Of<T extends Event['type']> = Event & { type: T }

function last<T extends Event['type']>(events: Event[], type: T): Of<T> | undefined {
  return events.findLast((event): event is Of<T> => event.type === type)
}

function textOf(events: Event[], delta: 'text_delta' | 'thinking_delta', field: 'text' | 'thinking'): string {
  const at = events.findLastIndex(({ type }) => type === 'text_reset')
  const reset = events[at]
  const start = reset?.type === 'text_reset' ? (reset.data[field] ?? '') : ''
  const deltas = events.slice(at + 1).flatMap((event) => (event.type === delta ? event.data.text : []))
  return start + deltas.join('')
}

function batchesOf(events: Event[], ids: Ids): SubagentBatch[] {
  const starts = events.filter((event): event is Of<'subagent_batch_start'> => event.type === 'subagent_batch_start')
  return starts.map(({ data: { batchId, title, total } }) => {
    const lines = new Map<number, SubagentItem>()
    for (const event of events) {
      if (event.type === 'subagent_update' && event.data.batchId === batchId) lines.set(event.data.subagent.id, event.data.subagent)
    }
    const items = [...lines.values()].sort((a, b) => a.sortOrder - b.sortOrder)
    const count = (...statuses: SubagentStatus[]): number => items.filter(({ status }) => statuses.includes(status)).length
    const summary = {
      total,
      queued: count('queued'),
      running: count('running'),
      completed: count('completed'),
      failed: count('failed', 'timed_out'),
      cancelled: count('cancelled'),
    }
    return { parentMessageId: ids.messageId, batchId, title, items, summary } as SubagentBatch
  })
}

/** The assistant's message while its turn is in flight: its picture up to an event. */
export function inFlight(events: Event[], seq: number, epoch = 1, ids = IDS): Message {
  return { ...stored('', ids), status: 'pending', turn: pictureOf(events, ids), cursor: { epoch, seq } }
}

/** The assistant's message as it is stored at the end. */
export function stored(content: string, ids = IDS, more: Partial<Message> = {}): Message {
  return {
    id: ids.messageId,
    sessionId: ids.sessionId,
    role: 'assistant',
    status: 'completed',
    content,
    metadata: { todos: [], tools: [], subagents: [], reason: null, told: null },
    runId: ids.runId,
    createTime: TS,
    updateTime: TS,
    ...more,
  }
}

export function said(content: string, ids = IDS, clientMessageId?: string): Message {
  return { ...stored(content, { ...ids, messageId: ids.messageId - 1 }), role: 'user', runId: undefined, clientMessageId }
}

/** Random numbers that are the same in every run. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
