import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { effectScope, ref, type EffectScope } from 'vue'
import { draftKey, readDraft, useDraft } from './drafts'

let scope: EffectScope
beforeEach(() => {
  localStorage.clear()
  scope = effectScope()
})
afterEach(() => {
  scope.stop()
  vi.restoreAllMocks()
})
const open = (session: string | undefined) => {
  const id = ref(session)
  const text = scope.run(() => useDraft(id))
  if (!text) throw new Error('no scope')
  return { id, text }
}

test('a draft survives a reload', () => {
  open('a').text.value = 'half a thought'
  expect(open('a').text.value).toBe('half a thought')
})

test('each session has its own, and so has a chat that has not begun', () => {
  const { id, text } = open('a')
  text.value = 'for a'
  id.value = 'b'
  expect(text.value).toBe('')
  text.value = 'for b'
  id.value = undefined
  expect(text.value).toBe('')
  text.value = 'for a new one'
  id.value = 'a'
  expect(text.value).toBe('for a')
  expect([readDraft('a'), readDraft('b'), readDraft(undefined)]).toEqual(['for a', 'for b', 'for a new one'])
})

test('what was sent does not come back', () => {
  const { text } = open('a')
  text.value = 'sent'
  text.value = ''
  expect(open('a').text.value).toBe('')
  expect(localStorage.getItem(draftKey('a'))).toBeNull()
})

test('another tab that sends it clears it here, but not what was typed here since', () => {
  const { text } = open('a')
  text.value = 'the same'
  window.dispatchEvent(new StorageEvent('storage', { key: draftKey('a'), oldValue: 'the same', newValue: null }))
  expect(text.value).toBe('')
  text.value = 'something new'
  window.dispatchEvent(new StorageEvent('storage', { key: draftKey('a'), oldValue: 'the same', newValue: null }))
  expect(text.value).toBe('something new')
})

test('where the store is full, a draft lasts as long as the page', () => {
  const { id, text } = open('a')
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  text.value = 'too large to keep'
  id.value = 'b'
  id.value = 'a'
  expect(text.value).toBe('too large to keep')
})
