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
  TurnView,
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
  /** It is the first of a session that was made here; any other is refused where its session is gone. */
  begins?: boolean
  /** That turn and all later ones are replaced by this message. */
  replaces?: number
  policy: 'enqueue' | 'interrupt'
  createTime: string
  /** Refused: stays with its reason until it is sent again or removed. */
  problem?: { code: string; message: string; field?: string; retryAfter?: number }
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
      user = userOf(message)
      continue
    }
    turns.push(fromSnapshot(message, user))
    user = undefined
  }
  return turns
}

/** What the user said. */
export function userOf(message: Message): UserMessage {
  return {
    id: message.id,
    content: message.content,
    createTime: message.createTime,
    clientMessageId: message.clientMessageId ?? undefined,
  }
}

/** A turn as the server knows it: stored, or of one in flight its picture so far and the place of that. */
export function fromSnapshot(message: Message, user?: UserMessage): Turn {
  const { metadata } = message
  const ended = message.status !== 'pending'
  const stored: Turn = {
    messageId: message.id,
    sessionId: message.sessionId,
    runId: message.runId ?? message.turn?.runId,
    user,
    status: message.status === 'pending' ? 'queued' : message.status,
    reason: metadata.reason ?? undefined,
    content: message.content,
    thinking: message.thinking ?? '',
    todos: metadata.todos ?? [],
    tools: metadata.tools ?? [],
    subagents: metadata.subagents ?? [],
    pauses: [],
    usage: message.usage ?? undefined,
    cost: message.cost ?? undefined,
    error: message.error ?? undefined,
    agentId: message.agentId ?? undefined,
    agentName: message.agentName ?? undefined,
    modelName: message.modelName ?? undefined,
    createTime: message.createTime,
    startedAt: message.startedAt ?? undefined,
    endedAt: message.endedAt ?? undefined,
    cursor: message.cursor ?? undefined,
    ended,
  }
  return message.turn && !ended ? withPicture(stored, message.turn) : stored
}

/** The turn with all that a picture tells in place of what it had. */
export function withPicture(turn: Turn, picture: TurnView): Turn {
  return {
    ...turn,
    runId: picture.runId,
    status: picture.status,
    reason: picture.reason ?? undefined,
    content: picture.content,
    thinking: picture.thinking ?? '',
    todos: picture.todos ?? [],
    tools: picture.tools ?? [],
    subagents: picture.subagents ?? [],
    pauses: picture.pauses ?? [],
    usage: picture.usage ?? undefined,
    cost: picture.cost ?? undefined,
    error: picture.error ?? undefined,
  }
}
