// An agent as it is edited: its values flat, by the names that the server uses for fields. Pure.
import type { AgentPatch } from '@/stores/agents'
import type { AgentSpec } from '@/api/types'

type Delegation = NonNullable<AgentSpec['subagentConfig']>

/** A model that was not chosen yet. */
export const NO_MODEL = 0

export type Draft = Required<Omit<AgentSpec, 'subagentConfig'>> & {
  [K in keyof Delegation as `subagentConfig.${K}`]: Delegation[K]
}
export type Field = keyof Draft

export const EMPTY: Draft = {
  name: '',
  icon: '',
  description: '',
  published: true,
  starters: [],
  modelId: NO_MODEL,
  temperature: null,
  isCrewMaster: false,
  systemPrompt: '',
  tools: null,
  maxToolRounds: null,
  maxWallSeconds: null,
  budgetTokens: null,
  budgetCost: null,
  'subagentConfig.enabled': null,
  'subagentConfig.maxConcurrent': null,
  'subagentConfig.allowedPresetAgentIds': null,
  'subagentConfig.allowedToolNames': null,
}
export const FIELDS = Object.keys(EMPTY) as Field[]

const NESTED = 'subagentConfig.'

/** A draft of its own, that shares nothing with what it was made of. */
export function draftOf(spec: Partial<AgentSpec>): Draft {
  const flat: Record<string, unknown> = {}
  for (const field of FIELDS) {
    const value = field.startsWith(NESTED)
      ? spec.subagentConfig?.[field.slice(NESTED.length) as keyof Delegation]
      : spec[field as keyof AgentSpec]
    flat[field] = structuredClone(value ?? EMPTY[field])
  }
  return flat as Draft
}

function nested(values: Partial<Draft>): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(values)) {
    if (!field.startsWith(NESTED)) found[field] = value
    else found['subagentConfig'] = { ...(found['subagentConfig'] as object), [field.slice(NESTED.length)]: value }
  }
  return found
}

export function specOf(draft: Draft): AgentSpec {
  return nested(structuredClone({ ...draft, starters: told(draft.starters) })) as unknown as AgentSpec
}

/** Sample questions without the empty lines that somebody left. */
function told(starters: string[]): string[] {
  return starters.map((text) => text.trim()).filter(Boolean)
}

/** Whether two values of a field mean the same. Lists of names are sets; questions keep their order. */
export function isSame(field: Field, a: Draft[Field], b: Draft[Field]): boolean {
  if (field === 'starters') return JSON.stringify(told(a as string[])) === JSON.stringify(told(b as string[]))
  if (Array.isArray(a) && Array.isArray(b)) return JSON.stringify([...a].sort()) === JSON.stringify([...b].sort())
  return a === b
}

/** The fields in which two drafts differ. */
export function changedFields(before: Draft, after: Draft): Field[] {
  return FIELDS.filter((field) => !isSame(field, before[field], after[field]))
}

/** The values of some fields. */
export function pick(draft: Draft, fields: readonly Field[]): Partial<Draft> {
  return Object.fromEntries(fields.map((field) => [field, structuredClone(draft[field])]))
}

/** What is to be told to the server so that `before` becomes `after`. */
export function patchOf(before: Draft, after: Draft): AgentPatch {
  const values = pick({ ...after, starters: told(after.starters) }, changedFields(before, after))
  return nested(values) as AgentPatch
}
