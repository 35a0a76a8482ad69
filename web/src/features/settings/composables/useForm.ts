// Saving a form: whether it is under way, which fields the server refused and why, and what else went wrong.
import { computed, ref, shallowRef } from 'vue'
import { Problem } from '@/api/client'

export interface FieldError {
  field: string
  detail: string
}

/** The fields that a refusal names. */
export function fieldErrors(error: unknown): FieldError[] {
  if (!(error instanceof Problem) || !error.body) return []
  const all = (error.body as { errors?: FieldError[] }).errors
  if (all?.length) return all
  return error.field ? [{ field: error.field, detail: error.body.detail }] : []
}

/** `fields` are those that the form has a place for. */
export function useForm(fields: readonly string[]) {
  const busy = ref(false)
  const failed = shallowRef<unknown>()
  const refused = computed(() => fieldErrors(failed.value))
  const known = (name: string) => fields.find((field) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`))

  const errors = computed(() => {
    const byField: Record<string, string> = {}
    for (const { field, detail } of refused.value) {
      const place = known(field)
      if (place) byField[place] ??= detail
    }
    return byField
  })
  /** What no field shows. */
  const failure = computed(() => (refused.value.some(({ field }) => known(field)) ? undefined : failed.value))

  /** What `save` answers; undefined if it was refused. */
  async function submit<T>(save: () => Promise<T>): Promise<{ value: T } | undefined> {
    if (busy.value) return undefined
    busy.value = true
    failed.value = undefined
    try {
      return { value: await save() }
    } catch (error) {
      failed.value = error
      return undefined
    } finally {
      busy.value = false
    }
  }
  return { busy, errors, failure, submit }
}
