// What a key in the composer means.
import type { SendKey } from '@/composables/useSendKey'

export type ComposerAction = 'send' | 'stop' | 'editLast' | 'none'

export interface ComposerState {
  empty: boolean
  /** A turn is under way that could be stopped. */
  live: boolean
  sendKey: SendKey
  /** Whether this key is an Enter that a person meant, and no end of a composition. */
  isEnter: (event: KeyboardEvent) => boolean
}

export function composerAction(event: KeyboardEvent, state: ComposerState): ComposerAction {
  if (state.isEnter(event)) return sends(event, state.sendKey) ? 'send' : 'none'
  if (event.isComposing || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return 'none'
  // Never while there is text: a stop by mistake costs more than a second key.
  if (event.key === 'Escape' && state.empty && state.live) return 'stop'
  if (event.key === 'ArrowUp' && state.empty) return 'editLast'
  return 'none'
}

/** Ctrl/⌘+Enter sends in both settings. */
function sends(event: KeyboardEvent, sendKey: SendKey): boolean {
  if (event.shiftKey || event.altKey) return false
  return event.ctrlKey || event.metaKey || sendKey === 'enter'
}
