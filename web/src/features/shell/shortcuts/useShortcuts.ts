// The keys that do something on the page at hand. A page tells its own with `useShortcuts`; they hold
// while it is shown, are in the help (`?`), and come before those of the shell.
import { onBeforeUnmount, shallowReactive } from 'vue'
import { isTyping, matches } from './keys'

export interface Shortcut {
  /** As "mod+k", see keys.ts. */
  keys: string
  /** The key of the text that says what it does. */
  label: string
  /** The key of the text above its group in the help. */
  group: string
  /** Not given: shown in the help only, what does it listens by itself. */
  run?: (event: KeyboardEvent) => void
  /** Whether it holds now. */
  when?: () => boolean
  /** Also while one types in a field: as a rule what has `mod` does, and nothing else. */
  whileTyping?: boolean
}

export const shortcuts = shallowReactive<Shortcut[]>([])

export function useShortcuts(list: Shortcut[]): void {
  shortcuts.push(...list)
  onBeforeUnmount(() => {
    for (const shortcut of list) shortcuts.splice(shortcuts.indexOf(shortcut), 1)
  })
}

/** Something lies over the page and has the keys to itself. */
function isCovered(): boolean {
  return document.querySelector('dialog[open], .el-overlay:not([style*="display: none"]) [role="dialog"]') !== null
}

/** What a key press asks for. */
export function shortcutOf(event: KeyboardEvent, list: readonly Shortcut[] = shortcuts): Shortcut | undefined {
  if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return undefined
  const typing = isTyping(event.target)
  return list.findLast(
    (shortcut) =>
      shortcut.run !== undefined &&
      matches(shortcut.keys, event) &&
      (!typing || (shortcut.whileTyping ?? shortcut.keys.includes('mod+'))) &&
      (shortcut.when?.() ?? true),
  )
}

/** Listens for all of them; called once, by the shell. */
export function useShortcutKeys(): void {
  const onKey = (event: KeyboardEvent) => {
    const shortcut = shortcutOf(event)
    if (!shortcut || isCovered()) return
    event.preventDefault()
    shortcut.run?.(event)
  }
  window.addEventListener('keydown', onKey)
  onBeforeUnmount(() => window.removeEventListener('keydown', onKey))
}
