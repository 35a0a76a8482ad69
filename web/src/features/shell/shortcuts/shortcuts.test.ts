// Which key press means what.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { capsOf, isTyping, matches } from './keys'
import { shortcutOf, type Shortcut } from './useShortcuts'

const press = (key: string, rest: KeyboardEventInit = {}) => new KeyboardEvent('keydown', { key, ...rest })
const shortcut = (keys: string, rest: Partial<Shortcut> = {}): Shortcut => ({ keys, label: 'l', group: 'g', run: vi.fn(), ...rest })

describe('a combination', () => {
  test('mod is ⌘ on a Mac and Ctrl elsewhere', () => {
    expect(matches('mod+k', press('k', { ctrlKey: true }), false)).toBe(true)
    expect(matches('mod+k', press('k', { metaKey: true }), false)).toBe(false)
    expect(matches('mod+k', press('k', { metaKey: true }), true)).toBe(true)
  })
  test('Shift counts with letters, and is part of a sign', () => {
    expect(matches('mod+shift+o', press('O', { ctrlKey: true, shiftKey: true }), false)).toBe(true)
    expect(matches('mod+o', press('O', { ctrlKey: true, shiftKey: true }), false)).toBe(false)
    expect(matches('?', press('?', { shiftKey: true }), false)).toBe(true)
    expect(matches('[', press('['), false)).toBe(true)
  })
  test('on another layout the place of the key counts, with mod', () => {
    expect(matches('mod+k', press('л', { ctrlKey: true, code: 'KeyK' }), false)).toBe(true)
    expect(matches('k', press('л', { code: 'KeyK' }), false)).toBe(false)
  })
  test('arrows have short names', () => {
    expect(matches('alt+up', press('ArrowUp', { altKey: true }), false)).toBe(true)
  })
  test('it is shown as the machine writes it', () => {
    expect(capsOf('mod+shift+o', true)).toEqual(['⌘', '⇧', 'O'])
    expect(capsOf('alt+up', false)).toEqual(['Alt', '↑'])
  })
})

describe('while one types', () => {
  afterEach(() => document.body.replaceChildren())
  const pressIn = (field: HTMLElement, key: string, rest: KeyboardEventInit = {}) => {
    document.body.append(field)
    const event = press(key, { bubbles: true, ...rest })
    let found: Shortcut | undefined
    const list = [shortcut('?'), shortcut('mod+k'), shortcut('esc', { whileTyping: true })]
    field.addEventListener('keydown', (e) => (found = shortcutOf(e, list)))
    field.dispatchEvent(event)
    return found?.keys
  }
  test('signs are text', () => expect(pressIn(document.createElement('textarea'), '?')).toBeUndefined())
  test('what has mod holds', () => expect(pressIn(document.createElement('input'), 'k', { ctrlKey: true })).toBe('mod+k'))
  test('what says so holds', () => expect(pressIn(document.createElement('input'), 'Escape')).toBe('esc'))
  test('a button takes no text', () => expect(pressIn(document.createElement('button'), '?')).toBe('?'))
  test('a tick box takes no text', () => {
    const box = document.createElement('input')
    box.type = 'checkbox'
    expect(isTyping(box)).toBe(false)
  })
})

test('an input method keeps its keys', () => {
  expect(shortcutOf(press('?', { isComposing: true }), [shortcut('?')])).toBeUndefined()
})

test('what was told last comes first, and only while it holds', () => {
  const first = shortcut('?')
  const last = shortcut('?', { when: () => false })
  expect(shortcutOf(press('?'), [first, last])).toBe(first)
})
