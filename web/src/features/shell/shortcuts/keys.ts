// Keys as texts: "mod+k", "mod+shift+o", "alt+up", "?", "[". `mod` is ⌘ on a Mac and Ctrl elsewhere.

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

const NAMED: Record<string, string> = {
  up: 'arrowup',
  down: 'arrowdown',
  left: 'arrowleft',
  right: 'arrowright',
  esc: 'escape',
  space: ' ',
}

interface Combination {
  key: string
  mod: boolean
  shift: boolean
  alt: boolean
}

function parse(keys: string): Combination {
  const parts = keys.toLowerCase().split('+')
  const key = parts.pop() ?? ''
  return {
    key: NAMED[key] ?? key,
    mod: parts.includes('mod'),
    shift: parts.includes('shift'),
    alt: parts.includes('alt'),
  }
}

/** Whether a letter or digit is meant, where Shift is told by itself; a sign as "?" already contains it. */
const isPlain = (key: string) => key.length > 1 || /[a-z0-9 ]/.test(key)

/** Whether a key press is this combination. On a layout without Latin letters the key's place counts. */
export function matches(keys: string, event: KeyboardEvent, mac = isMac): boolean {
  const wanted = parse(keys)
  const mod = mac ? event.metaKey : event.ctrlKey
  const other = mac ? event.ctrlKey : event.metaKey
  if (mod !== wanted.mod || other || event.altKey !== wanted.alt) return false
  if (isPlain(wanted.key) && event.shiftKey !== wanted.shift) return false
  const key = event.key.toLowerCase()
  if (key === wanted.key) return true
  return (wanted.mod || wanted.alt) && /^[a-z]$/.test(wanted.key) && event.code === `Key${wanted.key.toUpperCase()}`
}

const MAC: Record<string, string> = { mod: '⌘', shift: '⇧', alt: '⌥' }
const OTHERS: Record<string, string> = { mod: 'Ctrl', shift: 'Shift', alt: 'Alt' }
const SIGNS: Record<string, string> = { up: '↑', down: '↓', left: '←', right: '→', esc: 'Esc', enter: '↵', space: '␣' }

/** The caps to show for a combination, one a key. */
export function capsOf(keys: string, mac = isMac): string[] {
  const names = mac ? MAC : OTHERS
  return keys.split('+').map((part) => names[part] ?? SIGNS[part] ?? part.toUpperCase())
}

/** Whether what is focused takes text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && !['button', 'checkbox', 'radio', 'range', 'submit'].includes(target.type)
}
