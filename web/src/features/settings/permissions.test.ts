// Grants as a role's editor changes them, and words for every permission.
import { describe, expect, test } from 'vitest'
import en from '@/i18n/en/settings.json'
import zh from '@/i18n/zh/settings.json'
import { grouped, holds, withGrant, withoutGrant, wordsKey } from './permissions'
import { sectionsFor } from './sectionList'

const NAMES = (
  'agent:use agent:view agent:view_all agent:create agent:edit agent:delete agent:share model:view model:create model:edit model:delete ' +
  'session:view session:chat session:edit session:view_all session:edit_all crew:create crew:edit crew:publish crew:trigger crew:control ' +
  'crew:view queue:view queue:control user:view user:manage key:own key:manage audit:view tenant:manage'
).split(' ')
const groups = grouped(NAMES.map((name) => ({ name, description: name })))

test('permissions are grouped by what they are about, in order', () => {
  expect(groups.map((group) => group.resource)).toEqual(['agent', 'model', 'session', 'crew', 'queue', 'user', 'key', 'audit', 'tenant'])
  expect(groups[1]?.permissions.map((permission) => permission.name)).toEqual(['model:view', 'model:create', 'model:edit', 'model:delete'])
})

test('each has words in both languages', () => {
  const read = (texts: unknown, key: string) =>
    key.split('.').reduce<unknown>((inner, part) => (inner as Record<string, unknown> | undefined)?.[part], texts)
  for (const name of NAMES) {
    expect(read({ settings: en }, wordsKey(name)), name).toBeTypeOf('string')
    expect(read({ settings: zh }, wordsKey(name)), name).toBeTypeOf('string')
  }
})

describe('a grant', () => {
  test('of a resource gives all of it, and `*` everything', () => {
    expect(holds(['agent:*'], 'agent:edit')).toBe(true)
    expect(holds(['agent:*'], 'model:edit')).toBe(false)
    expect(holds(['*'], 'model:*')).toBe(true)
    expect(holds(['agent:edit'], 'agent:*')).toBe(false)
  })
  test('that is wider replaces the narrow ones', () => {
    expect(withGrant(['agent:view', 'key:own'], 'agent:*')).toEqual(['key:own', 'agent:*'])
    expect(withGrant(['agent:view', 'key:own'], '*')).toEqual(['*'])
    expect(withGrant(['agent:*'], 'agent:view')).toEqual(['agent:*'])
  })
  test('that is taken from a wider one leaves the others', () => {
    expect(withoutGrant(['model:*', 'key:own'], 'model:delete', groups)).toEqual(['model:view', 'model:create', 'model:edit', 'key:own'])
    const rest = withoutGrant(['*'], 'audit:view', groups)
    expect(holds(rest, 'audit:view')).toBe(false)
    expect(NAMES.filter((name) => !holds(rest, name))).toEqual(['audit:view'])
  })
  test('of a resource goes with all that it gave', () => {
    expect(withoutGrant(['agent:view', 'agent:edit', 'key:own'], 'agent:*', groups)).toEqual(['key:own'])
  })
})

test('the settings show what one may see', () => {
  const names = (...held: string[]) => sectionsFor((permission) => held.includes(permission)).map((section) => section.name)
  expect(names()).toEqual(['appearance', 'profile', 'sessions', 'usage', 'about'])
  expect(names('key:own', 'model:view')).toEqual(['appearance', 'profile', 'sessions', 'keys', 'usage', 'models', 'about'])
  expect(names('user:view', 'audit:view')).toEqual(['appearance', 'profile', 'sessions', 'usage', 'users', 'roles', 'audit', 'about'])
})
