// Whether a part of a turn is folded: by what happens in the turn, until the reader chooses; the choice
// is remembered for that message.
import { computed, reactive, type ComputedRef } from 'vue'

const STORED = 'neta.folds'
const MAX_KEPT = 500

function load(): [string, boolean][] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? '[]')
    return Array.isArray(stored) ? (stored as [string, boolean][]) : []
  } catch {
    return []
  }
}
const choices = reactive(new Map<string, boolean>(load()))

function choose(key: string, open: boolean): void {
  choices.delete(key)
  choices.set(key, open)
  for (const oldest of choices.keys()) {
    if (choices.size <= MAX_KEPT) break
    choices.delete(oldest)
  }
  try {
    sessionStorage.setItem(STORED, JSON.stringify([...choices]))
  } catch {
    // Full or forbidden: the choice then holds as long as the page.
  }
}

export interface Fold {
  open: ComputedRef<boolean>
  toggle: () => void
}

/** `byItself`: whether it is open as long as nobody chose. */
export function useFold(messageId: () => number, part: () => string, byItself: () => boolean): Fold {
  const key = computed(() => `${messageId()}:${part()}`)
  const open = computed(() => choices.get(key.value) ?? byItself())
  return { open, toggle: () => choose(key.value, !open.value) }
}

/** Opens or closes all parts of a message. */
export function foldAll(messageId: number, parts: string[], open: boolean): void {
  for (const part of parts) choose(`${messageId}:${part}`, open)
}
