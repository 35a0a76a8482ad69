// The filters of the audit, as they stand in the address.
import type { LocationQuery } from 'vue-router'
import type { AuditLine } from '@/api/types'

export const ACTOR_KINDS = ['user', 'key', 'operator', 'nobody'] as const satisfies readonly AuditLine['actorKind'][]
export const ACTIONS = ['agent.', 'model.', 'key.', 'quota.', 'session.', 'message.', 'user.', 'role.', 'tenant.', 'login.', 'run.', 'subagent.', 'pause.'] as const

export interface AuditFilter {
  actorKind?: AuditLine['actorKind']
  action?: string
  objectKind?: string
  objectId?: string
  from?: string
  to?: string
}

const TEXTS = ['action', 'objectKind', 'objectId', 'from', 'to'] as const

export function filterOf(query: LocationQuery): AuditFilter {
  const filter: AuditFilter = { actorKind: ACTOR_KINDS.find((kind) => kind === query['actorKind']) }
  for (const name of TEXTS) {
    const value = query[name]
    if (typeof value === 'string' && value) filter[name] = value
  }
  return filter
}

export function queryOf(filter: AuditFilter): Record<string, string> {
  return Object.fromEntries(Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1])))
}
