// One turn as it is shown: the user's message and the assistant's that answers it, with all that the
// turn does. Made of a stored message, of a snapshot, and of events in their order; pure.
import type {
  Cursor,
  ErrorInfo,
  Message,
  OpenPause,
  Reason,
  RunStatus,
  SubagentBatch,
  TodoItem,
  TokenUsage,
  ToolActivity,
} from '@/api/types'

/** What the user said. */
export interface UserMessage {
  id: number
  content: string
  createTime: string
  clientMessageId?: string
}

export interface Turn {
  /** The assistant message's id: the anchor of all that the turn does. */
  messageId: number
  sessionId: string
  runId?: number
  /** Missing where its message is on a page that is not loaded. */
  user?: UserMessage
  status: RunStatus
  reason?: Reason
  content: string
  thinking: string
  todos: TodoItem[]
  tools: ToolActivity[]
  subagents: SubagentBatch[]
  pauses: OpenPause[]
  usage?: TokenUsage
  cost?: number
  error?: ErrorInfo
  agentId?: number
  agentName?: string
  modelName?: string
  createTime: string
  startedAt?: string
  endedAt?: string
  /** The last event that is in here; none for turns that ended. */
  cursor?: Cursor
  /** Its last event came, or it was loaded as ended. */
  ended: boolean
}

/** A message that a person sent and the server has not accepted yet. */
export interface OutgoingMessage {
  clientMessageId: string
  sessionId: string
  agentId?: number
  content: string
  /** That turn and all later ones are replaced by this message. */
  replaces?: number
  policy: 'enqueue' | 'interrupt'
  createTime: string
  /** Refused: stays with its reason until it is sent again or removed. */
  problem?: { code: string; message: string; retryAfter?: number }
}

export function isEnded(status: RunStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}

/** Pairs messages, oldest first, to turns. */
export function turnsOf(messages: Message[]): Turn[] {
  const turns: Turn[] = []
  let user: UserMessage | undefined
  for (const message of messages) {
    if (message.role === 'user') {
      user = {
        id: message.id,
        content: message.content,
        createTime: message.createTime,
        clientMessageId: message.clientMessageId ?? undefined,
      }
      continue
    }
    turns.push(turnOf(message, user))
    user = undefined
  }
  return turns
}

function turnOf(message: Message, user: UserMessage | undefined): Turn {
  const { turn, metadata } = message
  const stored: RunStatus = message.status === 'pending' ? (turn?.status ?? 'queued') : message.status
  return {
    messageId: message.id,
    sessionId: message.sessionId,
    runId: message.runId ?? turn?.runId,
    user,
    status: stored,
    reason: turn?.reason ?? metadata.reason ?? undefined,
    content: turn?.content ?? message.content,
    thinking: turn?.thinking ?? message.thinking ?? '',
    todos: turn?.todos ?? metadata.todos ?? [],
    tools: turn?.tools ?? metadata.tools ?? [],
    subagents: turn?.subagents ?? metadata.subagents ?? [],
    pauses: turn?.pauses ?? [],
    usage: turn?.usage ?? message.usage ?? undefined,
    cost: turn?.cost ?? message.cost ?? undefined,
    error: turn?.error ?? message.error ?? undefined,
    createTime: message.createTime,
    cursor: message.cursor ?? undefined,
    ended: message.status !== 'pending',
  }
}
