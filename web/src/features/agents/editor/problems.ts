// What is wrong with a draft: checked here before it is sent, and what the server says besides. Pure.
import type { Problem } from '@/api/problem'
import { FIELDS, NO_MODEL, type Draft, type Field } from './draft'

/** `key` is a text below `agents.problems`; what the server says comes in its own words. */
export type FieldError = { key: string; values?: Record<string, number | string> } | { text: string }
export type FieldErrors = Partial<Record<Field, FieldError>>

export const LIMITS = {
  name: 100,
  icon: 8,
  starters: 4,
  starter: 200,
  maxToolRounds: 1_000,
  maxWallSeconds: 86_400,
  maxConcurrent: 64,
  budgetTokens: 1_000_000_000_000,
  temperature: 2,
} as const

const length = (text: string) => [...text].length

export function errorsOf(draft: Draft): FieldErrors {
  const errors: FieldErrors = {}
  const whole = (field: Field, max: number) => {
    const value = draft[field]
    if (typeof value === 'number' && !(Number.isInteger(value) && value >= 1 && value <= max)) {
      errors[field] = { key: 'whole', values: { max } }
    }
  }
  if (!draft.name.trim()) errors.name = { key: 'nameMissing' }
  else if (length(draft.name) > LIMITS.name) errors.name = { key: 'tooLong', values: { max: LIMITS.name } }
  if (length(draft.icon) > LIMITS.icon) errors.icon = { key: 'tooLong', values: { max: LIMITS.icon } }
  if (draft.modelId === NO_MODEL) errors.modelId = { key: 'modelMissing' }
  if (draft.starters.some((text) => length(text) > LIMITS.starter)) {
    errors.starters = { key: 'tooLong', values: { max: LIMITS.starter } }
  }
  if (draft.temperature !== null && !(draft.temperature >= 0 && draft.temperature <= LIMITS.temperature)) {
    errors.temperature = { key: 'between', values: { min: 0, max: LIMITS.temperature } }
  }
  if (draft.budgetCost !== null && !(draft.budgetCost > 0)) errors.budgetCost = { key: 'above', values: { min: 0 } }
  whole('maxToolRounds', LIMITS.maxToolRounds)
  whole('maxWallSeconds', LIMITS.maxWallSeconds)
  whole('budgetTokens', LIMITS.budgetTokens)
  whole('subagentConfig.maxConcurrent', LIMITS.maxConcurrent)
  return errors
}

/** The field that a name of the server means: `tools[3]` is `tools`. */
export function fieldNamed(name: string): Field | undefined {
  const plain = name.replace(/\[.*$/, '')
  return FIELDS.find((field) => field === plain)
}

/** What the server refused, by field; `rest`: what it says of no field that is shown here. */
export function serverErrors(problem: Problem): { errors: FieldErrors; rest: string[] } {
  const said = problem.body?.errors ?? (problem.field ? [{ field: problem.field, detail: problem.message }] : [])
  const errors: FieldErrors = {}
  const rest: string[] = []
  for (const { field, detail } of said) {
    const known = fieldNamed(field)
    if (known) errors[known] ??= { text: detail }
    else rest.push(detail)
  }
  return { errors, rest }
}
