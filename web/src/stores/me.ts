// Who uses this page, and what they may do.
import { computed, ref } from 'vue'
import { defineStore } from 'pinia'
import { Problem, api, data } from '@/api/client'
import type { Me, MePatch } from '@/api/types'

/** Whether somebody is signed in; `setup`: there is nobody yet who could be. */
export type Standing = 'unknown' | 'signed-in' | 'signed-out' | 'setup'

/** As long as an earlier request may still be on its way. */
const STALE_MS = 3_000

export const useMe = defineStore('me', () => {
  const me = ref<Me>()
  const standing = ref<Standing>('unknown')
  /** The login ended while somebody worked: to be asked for over the page. */
  const lapsed = ref(false)
  const permissions = computed(() => new Set<string>(me.value?.permissions ?? []))
  const userId = computed(() => me.value?.user?.id)
  /** Whose things this page may hold, also after they signed out. */
  let holder: number | undefined

  async function load(): Promise<Me> {
    me.value = await data(api.GET('/api/me'))
    standing.value = 'signed-in'
    // What stores hold is another person's.
    if (holder !== undefined && holder !== userId.value) window.location.reload()
    holder = userId.value
    return me.value
  }

  /** Finds out who is here; throws only if the server is away. */
  async function findOut(): Promise<Standing> {
    try {
      await load()
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 401) throw error
      standing.value = (await data(api.GET('/api/setup'))).needed ? 'setup' : 'signed-out'
    }
    return standing.value
  }

  /** Whether one may do it, as `agent:edit`. What the page does not show the server refuses all the same. */
  function may(permission: string): boolean {
    const [resource] = permission.split(':')
    return permissions.value.has('*') || permissions.value.has(`${resource}:*`) || permissions.value.has(permission)
  }

  /** Refusals of requests that were on their way when somebody signed in say nothing of them. */
  let signedInAt = -Infinity

  async function signIn(name: string, password: string, tenant?: string): Promise<void> {
    await data(api.POST('/api/login', { body: { name, password, tenant: tenant || undefined } }))
    await load()
    signedInAt = performance.now()
    lapsed.value = false
  }

  async function signOut(): Promise<void> {
    await data(api.POST('/api/logout'))
    me.value = undefined
    standing.value = 'signed-out'
  }

  /** The server said that it does not know us any more. */
  function noteSignedOut(): void {
    if (standing.value === 'signed-in' && performance.now() - signedInAt > STALE_MS) lapsed.value = true
  }

  async function change(patch: MePatch): Promise<void> {
    me.value = await data(api.PATCH('/api/me', { body: patch }))
  }

  return { me, standing, lapsed, userId, may, load, findOut, signIn, signOut, noteSignedOut, change }
})
