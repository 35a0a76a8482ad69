// What the server tells of turns: events with their place in a stream. Of a subagent's own stream the
// `runId` is the subagent's. And the socket's own frames.
import type { components } from '../schema'

export type Envelope = components['schemas']['Envelope']
/** Frames that answer ours, and the notice that the server goes away. */
export type SocketFrame = components['schemas']['Answer']

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
