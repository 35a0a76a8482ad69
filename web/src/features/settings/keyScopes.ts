// What a key may do, as its form offers it: everything, seeing only, or talking to all or some agents.
export const SCOPE_KINDS = ['*', 'chat', 'agents', 'read'] as const
export type ScopeKind = (typeof SCOPE_KINDS)[number]

export interface ScopeChoice {
  kind: ScopeKind
  agentIds: number[]
  /** Scopes that the form has no field for: kept as they are. */
  others: string[]
}

const AGENT = /^chat:(\d+)$/

export function choiceOf(scopes: readonly string[]): ScopeChoice {
  const agentIds = scopes.flatMap((scope) => AGENT.exec(scope)?.[1] ?? []).map(Number)
  const kind = scopes.includes('*') ? '*' : scopes.includes('chat') ? 'chat' : agentIds.length ? 'agents' : 'read'
  const others = scopes.filter((scope) => !['*', 'chat', 'read'].includes(scope) && !AGENT.test(scope))
  return { kind, agentIds, others: kind === 'agents' || kind === 'chat' ? [...others, ...(scopes.includes('read') ? ['read'] : [])] : others }
}

export function scopesOf(choice: ScopeChoice): string[] {
  const first = choice.kind === 'agents' ? choice.agentIds.map((id) => `chat:${id}`) : [choice.kind]
  return [...first, ...(choice.kind === '*' ? [] : choice.others)]
}
