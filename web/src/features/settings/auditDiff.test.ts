// What the audit says was changed.
import { expect, test } from 'vitest'
import { differences, shown } from './auditDiff'

test('only what differs is told, down to the leaf', () => {
  const before = { name: 'A', spec: { tools: ['x'], rounds: 3 }, version: 1 }
  const after = { name: 'A', spec: { tools: ['x', 'y'], rounds: 3 }, version: 2 }
  expect(differences(before, after)).toEqual([
    { path: 'spec.tools', before: ['x'], after: ['x', 'y'] },
    { path: 'version', before: 1, after: 2 },
  ])
})

test('a creation has no before, a removal no after', () => {
  expect(differences(null, { name: 'A' })).toEqual([{ path: 'name', before: undefined, after: 'A' }])
  expect(differences({ name: 'A', note: null }, null)).toEqual([{ path: 'name', before: 'A', after: undefined }])
})

test('values are one line', () => {
  expect([shown(null), shown('a'), shown([1, 2]), shown(false)]).toEqual(['—', 'a', '[1,2]', 'false'])
})
