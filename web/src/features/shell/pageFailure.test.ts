// Why a page could not be shown, by what the browsers say.
import { expect, test } from 'vitest'
import { Problem, Unreachable } from '@/api/client'
import { kindOf } from './pageFailure'

test.each([
  'Failed to fetch dynamically imported module: https://neta/assets/InboxView-1.js',
  'error loading dynamically imported module: https://neta/assets/InboxView-1.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/InboxView-1.css',
])('a script that is no longer there: %s', (message) => {
  expect(kindOf(new TypeError(message))).toBe('outdated')
})

test('the server is away', () => {
  expect(kindOf(new Unreachable(new TypeError('Load failed')))).toBe('away')
})

test('anything else is a page that broke', () => {
  expect(kindOf(new Problem(500, 'internal', 'x'))).toBe('broken')
  expect(kindOf('x')).toBe('broken')
})
