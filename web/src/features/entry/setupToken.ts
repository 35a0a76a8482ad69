// The token that the server printed when it started, where its address brought it along.

/** From `#token=…`, `#…` or `?token=…`. */
export function tokenOf(hash: string, query: unknown): string {
  const fragment = hash.replace(/^#/, '')
  const named = new URLSearchParams(fragment).get('token')
  if (named) return named
  if (fragment && !fragment.includes('=')) return fragment
  return typeof query === 'string' ? query : ''
}
