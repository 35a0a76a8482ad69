// Users and roles of the tenant, as far as one may see them.
import { reactive, shallowReactive, shallowRef } from 'vue'
import { api, data } from '@/api/client'
import { useMe } from '@/stores/me'
import type { Found, Item } from '../fields/found'

export interface People {
  mayFindUsers: boolean
  roles: Item[]
  userName: (id: number) => string | undefined
  findUsers: (q: string, cursor: string | undefined, signal: AbortSignal) => Promise<Found>
}

const PAGE = 30

export function usePeople() {
  const me = useMe()
  const users = shallowReactive(new Map<number, string>())
  const roles = shallowRef<Item[]>([])

  async function findUsers(q: string, cursor: string | undefined, signal: AbortSignal): Promise<Found> {
    const page = await data(api.GET('/api/users', { params: { query: { q: q || undefined, cursor, limit: PAGE } }, signal }))
    for (const user of page.items) users.set(user.id, user.name)
    return { items: page.items.map(({ id, name }) => ({ id, name })), nextCursor: page.nextCursor ?? undefined }
  }
  /** Names of those that are chosen; who can't be shown keeps a number. */
  async function know(ids: readonly number[]): Promise<void> {
    if (!me.may('user:view')) return
    const unknown = ids.filter((id) => !users.has(id))
    await Promise.allSettled(
      unknown.map(async (id) => users.set(id, (await data(api.GET('/api/users/{id}', { params: { path: { id } } }))).name)),
    )
  }
  async function loadRoles(): Promise<void> {
    if (!me.may('user:view')) return
    roles.value = await data(api.GET('/api/roles', { params: { query: { limit: 200 } } })).then(
      (found) => found.items.map(({ id, name }) => ({ id, name })),
      () => [],
    )
  }
  const people: People = reactive({ mayFindUsers: me.may('user:view'), roles, userName: (id: number) => users.get(id), findUsers })
  return { people, know, loadRoles }
}
