// What the server tells of turns: events with their place in a stream, and the socket's own frames.
import type { Cursor, Event } from '@/api/types'

interface Header extends Cursor {
  v: number
  sessionId: string
  /** The turn's assistant message. */
  messageId: number
  /** The turn's run, or that of one of its subagents: then the event is of the subagent's own stream. */
  runId: number
  ts: string
}

export type Envelope = Event & Header

/** Frames that answer ours, and the notice that the server goes away. */
export type SocketFrame =
  | { type: 'subscribed' | 'unsubscribed'; sessionId: string }
  | { type: 'reconnect'; afterMs: number }
  | { type: 'problem'; code: string; detail: string; retryAfterSeconds?: number }

export type Incoming = { envelope: Envelope } | { frame: SocketFrame }

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isEnvelope(value: Record<string, unknown>): boolean {
  return (
    typeof value['type'] === 'string' &&
    typeof value['sessionId'] === 'string' &&
    typeof value['messageId'] === 'number' &&
    typeof value['seq'] === 'number' &&
    typeof value['epoch'] === 'number' &&
    isRecord(value['data'])
  )
}

/** Reads one text frame. Undefined: nothing that this version knows. */
export function parseFrame(text: string): Incoming | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(value) || typeof value['type'] !== 'string') return undefined
  if (isEnvelope(value)) return { envelope: value as unknown as Envelope }
  return { frame: value as unknown as SocketFrame }
}
