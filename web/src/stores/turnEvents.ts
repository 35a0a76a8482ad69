// What an event makes of a turn. Pure: the same events in the same order give the same turn, and what
// comes twice, late or after a hole is told apart.
import type { Envelope } from '@/api/live/envelope'
import type { BatchSummary, SubagentBatch, SubagentItem, ToolActivity } from '@/api/types'
import { withPicture, type Turn } from './turn'

export type Outcome =
  | { kind: 'applied'; turn: Turn }
  /** It is in the turn already, or the turn is over. */
  | { kind: 'duplicate' }
  /** Something before it is missing: the turn has to be asked for. */
  | { kind: 'gap' }

const DUPLICATE: Outcome = { kind: 'duplicate' }
const GAP: Outcome = { kind: 'gap' }

/** The turn after the event, if it is the next one. */
export function apply(turn: Turn, event: Envelope): Outcome {
  if (turn.ended) return DUPLICATE
  const place = follows(turn, event)
  if (place !== 'next') return place === 'known' ? DUPLICATE : GAP
  const changed = change(turn, event)
  return { kind: 'applied', turn: { ...changed, cursor: { epoch: event.epoch, seq: event.seq } } }
}

/** Where the event stands to what the turn has. */
function follows({ cursor }: Turn, event: Envelope): 'next' | 'known' | 'later' {
  // A picture stands for all before it. Another log's numbers say nothing about this one's, and what
  // was made of the rows alone (epoch 0) has none that tell which is newer.
  if (event.type === 'resync' && (!cursor || event.epoch === 0 || event.epoch !== cursor.epoch)) return 'next'
  if (!cursor) return event.seq === 1 ? 'next' : 'later'
  if (event.epoch < cursor.epoch) return 'known'
  // A log that begins at its beginning stands for itself, too.
  if (event.epoch > cursor.epoch) return event.type === 'run_accepted' && event.seq === 1 ? 'next' : 'later'
  if (event.seq <= cursor.seq) return 'known'
  return event.type === 'resync' || event.seq === cursor.seq + 1 ? 'next' : 'later'
}

function change(turn: Turn, event: Envelope): Turn {
  switch (event.type) {
    case 'run_accepted':
      return begun(turn, event)
    case 'status': {
      const startedAt = turn.startedAt ?? (event.data.status === 'running' ? event.ts : undefined)
      return { ...turn, status: event.data.status, reason: event.data.reason ?? undefined, startedAt }
    }
    case 'text_delta':
      return { ...turn, content: turn.content + event.data.text }
    case 'thinking_delta':
      return { ...turn, thinking: turn.thinking + event.data.text }
    case 'text_reset':
      return { ...turn, content: event.data.text, thinking: event.data.thinking ?? '' }
    case 'tool_call': {
      const { toolCallId, name, arguments: text } = event.data
      return { ...turn, tools: putTool(turn.tools, { toolCallId, name, arguments: text, status: 'running' }) }
    }
    case 'tool_result': {
      const { toolCallId, status, preview, durationMs } = event.data
      const ended = (tool: ToolActivity) => ({ ...tool, status, preview, durationMs })
      return { ...turn, tools: turn.tools.map((tool) => (tool.toolCallId === toolCallId ? ended(tool) : tool)) }
    }
    case 'todo_update':
      return { ...turn, todos: event.data.items }
    case 'subagent_batch_start': {
      const { batchId, title, total } = event.data
      return inBatch(turn, batchId, (batch) => ({ ...batch, title, summary: { ...batch.summary, total } }))
    }
    case 'subagent_update':
      return inBatch(turn, event.data.batchId, (batch) => put(batch, event.data.subagent))
    case 'subagent_done':
      return inBatch(turn, event.data.batchId, (batch) => ({ ...batch, summary: event.data.summary }))
    case 'clarify_request': {
      const others = turn.pauses.filter((pause) => pause.pauseId !== event.data.pauseId)
      return { ...turn, pauses: [...others, event.data] }
    }
    case 'pause_answered':
      return { ...turn, pauses: turn.pauses.filter((pause) => pause.pauseId !== event.data.pauseId) }
    case 'usage': {
      const { inputTokens, outputTokens, cost } = event.data
      return { ...turn, usage: { inputTokens, outputTokens }, cost: cost ?? undefined }
    }
    case 'resync':
      return withPicture(turn, event.data)
    case 'done':
      return { ...withPicture(turn, event.data), pauses: [], endedAt: event.ts, ended: true }
    case 'error': {
      const { kind, message } = event.data
      const error = { kind, message }
      return { ...turn, status: 'failed', reason: kind, error, pauses: [], endedAt: event.ts, ended: true }
    }
    default:
      // Of a later version, or not of a turn: it only takes its number.
      return turn
  }
}

/** A log's first event: of a turn that had a picture of another log, all comes anew. */
function begun(turn: Turn, event: Envelope & { type: 'run_accepted' }): Turn {
  const runId = event.data.runId
  if (!turn.cursor) return { ...turn, runId }
  const nothing = { content: '', thinking: '', todos: [], tools: [], subagents: [], pauses: [] }
  return { ...turn, ...nothing, runId, status: 'queued', reason: undefined, error: undefined }
}

function putTool(tools: ToolActivity[], tool: ToolActivity): ToolActivity[] {
  const known = tools.some(({ toolCallId }) => toolCallId === tool.toolCallId)
  return known ? tools.map((t) => (t.toolCallId === tool.toolCallId ? tool : t)) : [...tools, tool]
}

function inBatch(turn: Turn, batchId: string, change: (batch: SubagentBatch) => SubagentBatch): Turn {
  const known = turn.subagents.find((batch) => batch.batchId === batchId)
  if (known) {
    const changed = change(known)
    return { ...turn, subagents: turn.subagents.map((batch) => (batch === known ? changed : batch)) }
  }
  const empty = { parentMessageId: turn.messageId, batchId, title: '', items: [], summary: summaryOf([]) }
  return { ...turn, subagents: [...turn.subagents, change(empty)] }
}

/** Replaces the subagent's line, or adds it at its place, and counts anew. */
function put(batch: SubagentBatch, item: SubagentItem): SubagentBatch {
  const others = batch.items.filter(({ id }) => id !== item.id)
  const at = others.findIndex(({ sortOrder }) => sortOrder > item.sortOrder)
  const items = at < 0 ? [...others, item] : [...others.slice(0, at), item, ...others.slice(at)]
  const summary = summaryOf(items)
  const total = Math.max(summary.total, batch.summary.total)
  return { ...batch, title: batch.title || titleOf(item), items, summary: { ...summary, total } }
}

/** How many stand where; those that timed out count as failed. */
export function summaryOf(items: SubagentItem[]): BatchSummary {
  const summary: BatchSummary = { total: items.length, queued: 0, running: 0, completed: 0, failed: 0, cancelled: 0 }
  for (const { status } of items) summary[status === 'timed_out' ? 'failed' : status] += 1
  return summary
}

const TITLE_CHARS = 80

function titleOf({ goal }: SubagentItem): string {
  const characters = [...goal]
  return characters.length > TITLE_CHARS ? `${characters.slice(0, TITLE_CHARS - 1).join('')}…` : goal
}
