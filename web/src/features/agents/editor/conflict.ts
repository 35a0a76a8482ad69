// Somebody else saved the agent meanwhile: what they changed, what I changed, and where both did. Pure.
import { FIELDS, changedFields, isSame, pick, type Draft, type Field } from './draft'

export interface Conflict {
  /** Changed by both, to different values. */
  both: Field[]
  /** Changed by them only. */
  theirs: Field[]
  /** Changed by me only. */
  mine: Field[]
}

/** Which of two values a field that both changed shall have. */
export type Side = 'mine' | 'theirs'

export function compare(base: Draft, mine: Draft, theirs: Draft): Conflict {
  const byMe = new Set(changedFields(base, mine))
  const byThem = new Set(changedFields(base, theirs))
  const differ = FIELDS.filter((field) => !isSame(field, mine[field], theirs[field]))
  return {
    both: differ.filter((field) => byMe.has(field) && byThem.has(field)),
    theirs: differ.filter((field) => byThem.has(field) && !byMe.has(field)),
    mine: differ.filter((field) => byMe.has(field) && !byThem.has(field)),
  }
}

/** Both persons' changes together; where both changed a field, the chosen side, else mine. */
export function merge(base: Draft, mine: Draft, theirs: Draft, sides: Partial<Record<Field, Side>> = {}): Draft {
  const { both, mine: alone } = compare(base, mine, theirs)
  const kept = [...alone, ...both.filter((field) => sides[field] !== 'theirs')]
  return { ...structuredClone(theirs), ...pick(mine, kept) }
}
