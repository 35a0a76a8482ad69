// What a role gives: names as `agent:view`, all of a resource as `agent:*`, or everything, `*`.
import type { PermissionInfo } from '@/api/types'

export interface PermissionGroup {
  resource: string
  permissions: PermissionInfo[]
}

const resourceOf = (name: string) => name.split(':')[0] ?? name

/** By resource, in the server's order. */
export function grouped(permissions: readonly PermissionInfo[]): PermissionGroup[] {
  const groups: PermissionGroup[] = []
  for (const permission of permissions) {
    const resource = resourceOf(permission.name)
    const group = groups.find((other) => other.resource === resource)
    if (group) group.permissions.push(permission)
    else groups.push({ resource, permissions: [permission] })
  }
  return groups
}

/** Whether grants give a permission, a resource (`agent:*`) or everything (`*`). */
export function holds(grants: readonly string[], name: string): boolean {
  return grants.includes('*') || grants.includes(name) || (name !== '*' && grants.includes(`${resourceOf(name)}:*`))
}

/** With it. What a wider grant contains is not kept beside it. */
export function withGrant(grants: readonly string[], name: string): string[] {
  if (holds(grants, name)) return [...grants]
  if (name === '*') return ['*']
  const rest = name.endsWith(':*') ? grants.filter((grant) => resourceOf(grant) !== resourceOf(name)) : grants
  return [...rest, name]
}

/** Without it: what a wider grant gave besides stays, name by name. */
export function withoutGrant(grants: readonly string[], name: string, groups: readonly PermissionGroup[]): string[] {
  if (name === '*') return grants.filter((grant) => grant !== '*')
  const wide = grants.includes('*') ? groups.map((group) => `${group.resource}:*`) : [...grants]
  const resource = resourceOf(name)
  if (name.endsWith(':*')) return wide.filter((grant) => resourceOf(grant) !== resource)
  return wide.flatMap((grant) => {
    if (grant === name) return []
    if (grant !== `${resource}:*`) return [grant]
    const group = groups.find((other) => other.resource === resource)
    return (group?.permissions ?? []).map((permission) => permission.name).filter((other) => other !== name)
  })
}

/** The key of the text that says in words what a permission allows. */
export const wordsKey = (name: string) => `settings.permissions.${name.replace(':', '.')}`
