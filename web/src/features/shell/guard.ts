// Who may see which page: without a login one comes to /login and from there to where one wanted to go;
// a server without anybody leads to /setup.
import type { RouteLocationRaw } from 'vue-router'
import type { Standing } from '@/stores/me'

/** What the guard looks at of an address. */
export interface Target {
  name?: string | symbol | null
  fullPath: string
  open: boolean
  next?: unknown
}

/** Addresses within this application only: a link may not lead elsewhere after the login. */
export function safeNext(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/') || /^\/[/\\]/.test(next) || /[\s\\]/.test(next)) return '/chat'
  return /^\/(login|setup)\b/.test(next) ? '/chat' : next
}

export function decide(target: Target, standing: Standing): true | RouteLocationRaw {
  switch (standing) {
    case 'setup':
      return target.name === 'setup' || { name: 'setup' }
    case 'signed-out':
      if (target.name === 'setup') return { name: 'login' }
      if (target.open) return true
      return { name: 'login', query: target.fullPath === '/chat' ? {} : { next: target.fullPath } }
    case 'signed-in':
      return target.open ? safeNext(target.next) : true
    case 'unknown':
      return true
  }
}
