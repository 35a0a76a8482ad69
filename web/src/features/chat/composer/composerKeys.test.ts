import { describe, expect, test } from 'vitest'
import { useEnterGuard } from '@/composables/useEnterGuard'
import type { SendKey } from '@/composables/useSendKey'
import { composerAction } from './composerKeys'
import { lengthOf, MESSAGE_LIMIT } from './limit'
import { quoted } from './quote'

function act(init: KeyboardEventInit & { keyCode?: number }, state: { empty?: boolean; live?: boolean; sendKey?: SendKey } = {}) {
  const { isEnter } = useEnterGuard()
  return composerAction(new KeyboardEvent('keydown', init), { empty: false, live: false, sendKey: 'enter', isEnter, ...state })
}

describe('Enter', () => {
  test('sends, and with Shift makes a line', () => {
    expect(act({ key: 'Enter' })).toBe('send')
    expect(act({ key: 'Enter', shiftKey: true })).toBe('none')
    expect(act({ key: 'Enter', altKey: true })).toBe('none')
  })
  test('makes a line where Ctrl or ⌘ sends', () => {
    expect(act({ key: 'Enter' }, { sendKey: 'mod' })).toBe('none')
    expect(act({ key: 'Enter', ctrlKey: true }, { sendKey: 'mod' })).toBe('send')
    expect(act({ key: 'Enter', metaKey: true }, { sendKey: 'mod' })).toBe('send')
    expect(act({ key: 'Enter', ctrlKey: true })).toBe('send')
  })
  test('ends a composition and nothing else', () => {
    expect(act({ key: 'Enter', isComposing: true })).toBe('none')
    expect(act({ key: 'Enter', keyCode: 229 })).toBe('none')
    expect(act({ key: 'Enter', isComposing: true, ctrlKey: true }, { sendKey: 'mod' })).toBe('none')
  })
})

test('Esc stops a live turn, and only while nothing is written', () => {
  expect(act({ key: 'Escape' }, { empty: true, live: true })).toBe('stop')
  expect(act({ key: 'Escape' }, { empty: false, live: true })).toBe('none')
  expect(act({ key: 'Escape' }, { empty: true, live: false })).toBe('none')
  expect(act({ key: 'Escape', isComposing: true }, { empty: true, live: true })).toBe('none')
})

test('↑ changes the last message, and only while nothing is written', () => {
  expect(act({ key: 'ArrowUp' }, { empty: true })).toBe('editLast')
  expect(act({ key: 'ArrowUp' }, { empty: false })).toBe('none')
  expect(act({ key: 'ArrowUp', altKey: true }, { empty: true })).toBe('none')
})

test('characters are counted, not their halves', () => {
  expect(lengthOf('😀'.repeat(MESSAGE_LIMIT))).toBe(MESSAGE_LIMIT)
  expect(lengthOf('字'.repeat(10))).toBe(10)
})

test('a quote goes before what one writes about it', () => {
  expect(quoted('', 'one\n\ntwo\n')).toBe('> one\n>\n> two\n\n')
  expect(quoted('I think\n', 'one')).toBe('I think\n\n> one\n\n')
})
