// Two persons edited the same agent.
import { expect, test } from 'vitest'
import { compare, merge } from './conflict'
import { EMPTY, type Draft } from './draft'

const base: Draft = { ...EMPTY, name: 'Editor', systemPrompt: 'old', temperature: 1, tools: ['a'] }
const mine: Draft = { ...base, name: 'My editor', systemPrompt: 'mine' }
const theirs: Draft = { ...base, systemPrompt: 'theirs', temperature: 0.5 }

test('tells what each changed, and where both did', () => {
  expect(compare(base, mine, theirs)).toEqual({ both: ['systemPrompt'], theirs: ['temperature'], mine: ['name'] })
})

test('both changed to the same is no conflict', () => {
  const same = { ...base, name: 'Same', tools: ['b', 'a'] }
  expect(compare(base, same, { ...same, tools: ['a', 'b'] })).toEqual({ both: [], theirs: [], mine: [] })
})

test('a merge has both persons’ changes, and mine where both changed', () => {
  expect(merge(base, mine, theirs)).toEqual({ ...base, name: 'My editor', systemPrompt: 'mine', temperature: 0.5 })
})

test('a merge takes theirs where that was chosen', () => {
  expect(merge(base, mine, theirs, { systemPrompt: 'theirs' }).systemPrompt).toBe('theirs')
})

test('what they took back to what it was stays theirs', () => {
  expect(merge(base, { ...base, tools: null }, base).tools).toBeNull()
})
