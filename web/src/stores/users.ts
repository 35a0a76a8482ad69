// The people of the tenant.
import { ref } from 'vue'
import { defineStore } from 'pinia'
import { api, data } from '@/api/client'
import type { User, UserPatch, UserRequest } from '@/api/types'

export const useUsers = defineStore('users', () => {
  const byId = ref<Record<number, User>>({})

  async function find(query: { q?: string; disabled?: boolean; cursor?: string; limit?: number }, signal?: AbortSignal) {
    const page = await data(api.GET('/api/users', { params: { query }, signal }))
    page.items.forEach(keep)
    return page
  }

  async function create(user: UserRequest): Promise<User> {
    return keep(await data(api.POST('/api/users', { body: user })))
  }

  async function change(id: number, patch: UserPatch): Promise<User> {
    return keep(await data(api.PATCH('/api/users/{id}', { params: { path: { id } }, body: patch })))
  }

  async function remove(id: number): Promise<void> {
    await data(api.DELETE('/api/users/{id}', { params: { path: { id } } }))
    delete byId.value[id]
  }

  function keep(user: User): User {
    byId.value[user.id] = user
    return user
  }

  return { byId, find, create, change, remove }
})
