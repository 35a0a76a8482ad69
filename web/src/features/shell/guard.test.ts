// Who comes to which page.
import { describe, expect, test } from 'vitest'
import { decide, safeNext, type Target } from './guard'

const at = (fullPath: string, rest: Partial<Target> = {}): Target => ({ fullPath, open: false, ...rest })
const login = at('/login', { name: 'login', open: true })
const setup = at('/setup', { name: 'setup', open: true })

describe('without a login', () => {
  test('a page leads to the login, which knows where one wanted to go', () => {
    expect(decide(at('/agents/3?tab=tools'), 'signed-out')).toEqual({ name: 'login', query: { next: '/agents/3?tab=tools' } })
  })
  test('the usual start needs no note of it', () => {
    expect(decide(at('/chat'), 'signed-out')).toEqual({ name: 'login', query: {} })
  })
  test('the login itself is open, the setup is over', () => {
    expect(decide(login, 'signed-out')).toBe(true)
    expect(decide(setup, 'signed-out')).toEqual({ name: 'login' })
  })
})

test('where nobody has an account everything leads to the setup', () => {
  expect(decide(at('/inbox'), 'setup')).toEqual({ name: 'setup' })
  expect(decide(login, 'setup')).toEqual({ name: 'setup' })
  expect(decide(setup, 'setup')).toBe(true)
})

test('who is signed in goes on to where they wanted to go', () => {
  expect(decide(at('/inbox'), 'signed-in')).toBe(true)
  expect(decide({ ...login, next: '/inbox' }, 'signed-in')).toBe('/inbox')
  expect(decide(login, 'signed-in')).toBe('/chat')
})

test.each([
  ['//evil.example/x', '/chat'],
  ['/\\evil.example', '/chat'],
  ['https://evil.example', '/chat'],
  ['javascript:alert(1)', '/chat'],
  ['/login?next=/login', '/chat'],
  [undefined, '/chat'],
  ['/chat/9d1?sub=4#m7', '/chat/9d1?sub=4#m7'],
])('after the login %s leads to %s', (next, expected) => {
  expect(safeNext(next)).toBe(expected)
})
