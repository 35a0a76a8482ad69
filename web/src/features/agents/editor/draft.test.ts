// What counts as a change, and what is told to the server.
import { describe, expect, test } from 'vitest'
import type { AgentSpec } from '@/api/types'
import { EMPTY, changedFields, draftOf, patchOf, specOf, type Draft } from './draft'

const spec: AgentSpec = {
  name: 'Editor',
  modelId: 3,
  tools: ['a', 'b'],
  subagentConfig: { enabled: null, maxConcurrent: 4, allowedPresetAgentIds: [2, 1], allowedToolNames: null },
}
const changed = (change: Partial<Draft>) => changedFields(draftOf(spec), { ...draftOf(spec), ...change })

describe('a change', () => {
  test('is a difference, not an event: what was put back is none', () => {
    expect(changed({ name: 'Editor', systemPrompt: '' })).toEqual([])
  })
  test('is none where a list has the same names in another order', () => {
    expect(changed({ tools: ['b', 'a'], 'subagentConfig.allowedPresetAgentIds': [1, 2] })).toEqual([])
  })
  test('is one where questions have another order', () => {
    const before = { ...EMPTY, starters: ['one', 'two'] }
    expect(changedFields(before, { ...EMPTY, starters: ['two', 'one'] })).toEqual(['starters'])
  })
  test('is none where an empty question was added', () => {
    expect(changed({ starters: ['', ' '] })).toEqual([])
  })
  test('all, none and some are three different things', () => {
    expect(changedFields({ ...EMPTY, tools: null }, { ...EMPTY, tools: [] })).toEqual(['tools'])
    expect(changedFields({ ...EMPTY, tools: [] }, { ...EMPTY, tools: ['a'] })).toEqual(['tools'])
  })
})

describe('what is sent', () => {
  test('a new agent with its delegation nested', () => {
    const sent = specOf({ ...draftOf(spec), starters: [' hello ', ''] })
    expect(sent).toMatchObject({ name: 'Editor', starters: ['hello'], subagentConfig: { maxConcurrent: 4 } })
    expect(Object.keys(sent).some((key) => key.includes('.'))).toBe(false)
  })
  test('of a change only what differs, where null takes a value away', () => {
    const after = { ...draftOf(spec), name: 'New', 'subagentConfig.maxConcurrent': null }
    expect(patchOf(draftOf(spec), after)).toEqual({ name: 'New', subagentConfig: { maxConcurrent: null } })
  })
  test('a draft shares nothing with what it was made of', () => {
    const draft = draftOf(spec)
    draft.tools?.push('c')
    expect(spec.tools).toEqual(['a', 'b'])
  })
})
