// What every tab of the editor is given.
import type { EffectiveDelegation } from '@/api/types'
import type { Draft, Field } from './draft'
import type { FieldErrors } from './problems'

export interface TabProps {
  draft: Draft
  errors: FieldErrors
  changed: ReadonlySet<Field>
  readonly: boolean
  /** What holds with the values on the form; none: not known yet. */
  effective?: EffectiveDelegation
}
export interface TabEvents {
  set: [change: Partial<Draft>]
}
