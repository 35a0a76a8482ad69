// Who uses this page, and what they may do.
import { computed, ref } from 'vue'
import { defineStore } from 'pinia'
import { api, data } from '@/api/client'
import type { Me } from '@/api/types'

export const useMe = defineStore('me', () => {
  const me = ref<Me>()
  const permissions = computed(() => new Set<string>(me.value?.permissions ?? []))

  async function load(): Promise<Me> {
    me.value = await data(api.GET('/api/me'))
    return me.value
  }

  /** Whether one may do it, as `agent:edit`. What the page does not show the server refuses all the same. */
  function may(permission: string): boolean {
    const [resource] = permission.split(':')
    return permissions.value.has('*') || permissions.value.has(`${resource}:*`) || permissions.value.has(permission)
  }

  async function signIn(name: string, password: string): Promise<void> {
    await data(api.POST('/api/login', { body: { name, password } }))
    await load()
  }

  async function signOut(): Promise<void> {
    await data(api.POST('/api/logout'))
    me.value = undefined
  }

  return { me, may, load, signIn, signOut }
})
