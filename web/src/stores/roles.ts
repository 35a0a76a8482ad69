// The roles, and what there is to be allowed.
import { computed, ref } from 'vue'
import { defineStore } from 'pinia'
import { api, data } from '@/api/client'
import type { PermissionInfo, Role, RoleRequest } from '@/api/types'

export const useRoles = defineStore('roles', () => {
  const byId = ref<Record<number, Role>>({})
  const permissions = ref<PermissionInfo[]>([])
  const all = computed(() => Object.values(byId.value).sort((a, b) => a.id - b.id))

  async function load(): Promise<void> {
    const [roles, known] = await Promise.all([
      data(api.GET('/api/roles', { params: { query: { limit: 200 } } })),
      permissions.value.length ? permissions.value : data(api.GET('/api/permissions')),
    ])
    byId.value = Object.fromEntries(roles.items.map((role) => [role.id, role]))
    permissions.value = known
  }

  async function create(role: RoleRequest): Promise<Role> {
    return keep(await data(api.POST('/api/roles', { body: role })))
  }

  async function change(id: number, role: RoleRequest): Promise<Role> {
    return keep(await data(api.PATCH('/api/roles/{id}', { params: { path: { id } }, body: role })))
  }

  async function remove(id: number): Promise<void> {
    await data(api.DELETE('/api/roles/{id}', { params: { path: { id } } }))
    delete byId.value[id]
  }

  function keep(role: Role): Role {
    byId.value[role.id] = role
    return role
  }

  return { byId, all, permissions, load, create, change, remove }
})
