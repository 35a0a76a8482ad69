// Messages that were not accepted yet, kept over reloads: one entry of localStorage a message, so that
// two tabs never write over each other's.
import type { OutgoingMessage } from './turn'

export interface Kept {
  message: OutgoingMessage
  /** Who wrote it: nobody else's login sends it. */
  owner: string
}

const PREFIX = 'neta.outbox.'

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false
  const { message, owner } = value as Partial<Kept>
  return typeof owner === 'string' && typeof message?.clientMessageId === 'string' && typeof message.sessionId === 'string'
}

/** Writes the entry; false where the browser lets nothing be kept. */
export function write(kept: Kept): boolean {
  try {
    localStorage.setItem(PREFIX + kept.message.clientMessageId, JSON.stringify(kept))
    return true
  } catch {
    return false
  }
}

export function erase(clientMessageId: string): void {
  try {
    localStorage.removeItem(PREFIX + clientMessageId)
  } catch {
    // Nothing was kept, then.
  }
}

function parse(text: string | null): Kept | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isKept(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function read(clientMessageId: string): Kept | undefined {
  try {
    return parse(localStorage.getItem(PREFIX + clientMessageId))
  } catch {
    return undefined
  }
}

/** All entries of this browser. */
export function readAll(): Kept[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i))
    return keys.flatMap((key) => (key?.startsWith(PREFIX) ? (read(key.slice(PREFIX.length)) ?? []) : []))
  } catch {
    return []
  }
}

/** Calls back when another tab writes or erases an entry. Returns how to stop that. */
export function onOthers(changed: (clientMessageId: string, kept: Kept | undefined) => void): () => void {
  const listener = (event: StorageEvent): void => {
    if (event.key?.startsWith(PREFIX)) changed(event.key.slice(PREFIX.length), parse(event.newValue))
  }
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
