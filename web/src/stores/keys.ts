// API keys: never their texts, which are answered once.
import { ref } from 'vue'
import { defineStore } from 'pinia'
import { api, data } from '@/api/client'
import type { Key, KeyInput, NewKey } from '@/api/types'

export const useKeys = defineStore('keys', () => {
  const byId = ref<Record<number, Key>>({})

  async function page(cursor?: string, signal?: AbortSignal) {
    const found = await data(api.GET('/api/keys', { params: { query: { cursor, limit: 50 } }, signal }))
    found.items.forEach(keep)
    return found
  }

  async function create(input: KeyInput): Promise<NewKey> {
    return keepNew(await data(api.POST('/api/keys', { body: input })))
  }

  async function change(id: number, patch: Partial<Pick<KeyInput, 'name' | 'scopes' | 'expiresAt' | 'ratePerMinute'>>): Promise<Key> {
    const body = patch as Record<string, never>
    return keep(await data(api.PATCH('/api/keys/{id}', { params: { path: { id } }, body })))
  }

  async function rotate(id: number, overlapSeconds: number): Promise<NewKey> {
    return keepNew(await data(api.POST('/api/keys/{id}/rotate', { params: { path: { id } }, body: { overlapSeconds } })))
  }

  async function revoke(id: number): Promise<void> {
    await data(api.DELETE('/api/keys/{id}', { params: { path: { id } } }))
    keep(await data(api.GET('/api/keys/{id}', { params: { path: { id } } })))
  }

  function keep(key: Key): Key {
    byId.value[key.id] = key
    return key
  }

  function keepNew(made: NewKey): NewKey {
    const { text: _text, ...key } = made
    keep(key)
    return made
  }

  return { byId, page, create, change, rotate, revoke }
})
