import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPinia, setActivePinia } from 'pinia'
import { effectScope, ref, type EffectScope } from 'vue'
import type { Me } from '@/api/types'
import { useMe } from '@/stores/me'
import { draftKey, readDraft, useDraft } from './drafts'

let scope: EffectScope
const user = (id: number) => ({ actor: 'user', user: { id }, tenant: { id: 1 } }) as unknown as Me
beforeEach(() => {
  setActivePinia(createPinia())
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

test('a draft is its writer’s', () => {
  useMe().me = user(1)
  open(undefined).text.value = 'private'
  useMe().me = user(2)
  expect(open(undefined).text.value).toBe('')
  useMe().me = user(1)
  expect(open(undefined).text.value).toBe('private')
})

test('what is typed while a new chat gets its address goes along with it', () => {
  const id = ref<string | undefined>()
  const begun = ref<string | undefined>('new one')
  const text = scope.run(() => useDraft(id, begun))
  if (!text) throw new Error('no scope')
  text.value = 'the next thought'
  id.value = 'new one'
  expect(text.value).toBe('the next thought')
  expect([readDraft('new one'), readDraft(undefined)]).toEqual(['the next thought', ''])
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
