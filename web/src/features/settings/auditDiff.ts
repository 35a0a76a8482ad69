// What a change changed: the values before and after, leaf by leaf.
export interface Difference {
  path: string
  before?: unknown
  after?: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Leaves that differ, in the order of their names. */
export function differences(before: unknown, after: unknown, path = ''): Difference[] {
  if (isObject(before) || isObject(after)) {
    const left = isObject(before) ? before : {}
    const right = isObject(after) ? after : {}
    return [...new Set([...Object.keys(left), ...Object.keys(right)])]
      .sort()
      .flatMap((key) => differences(left[key], right[key], path ? `${path}.${key}` : key))
  }
  return JSON.stringify(before ?? null) === JSON.stringify(after ?? null) ? [] : [{ path, before, after }]
}

/** A value as one line. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return '—'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
