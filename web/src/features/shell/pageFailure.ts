// A page that could not be shown, and why: the server is away, the page's script is no longer there (as
// after an upgrade), or the page broke.
import { shallowRef } from 'vue'
import type { Router } from 'vue-router'
import { Unreachable } from '@/api/client'

export interface PageFailure {
  kind: 'away' | 'outdated' | 'broken'
  error: unknown
  /** The address that was asked for. */
  address?: string
}

export const pageFailure = shallowRef<PageFailure>()

const MISSING = /dynamically imported module|importing a module script|preload css|failed to load module/i

export function kindOf(error: unknown): PageFailure['kind'] {
  if (error instanceof Unreachable) return 'away'
  return error instanceof Error && MISSING.test(error.message) ? 'outdated' : 'broken'
}

export function installPageFailure(router: Router): void {
  router.onError((error, to) => {
    pageFailure.value = { kind: kindOf(error), error, address: to.fullPath }
  })
  router.afterEach((_to, _from, failure) => {
    if (!failure) pageFailure.value = undefined
  })
}
