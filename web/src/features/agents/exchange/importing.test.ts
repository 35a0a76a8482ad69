// Files with agents, ours and others'.
import { describe, expect, test } from 'vitest'
import type { Agent } from '@/api/types'
import { exported } from './exporting'
import { freeName, isReady, presetIds, read, withModel, type Candidate, type Known } from './importing'

const known: Known = { models: [{ id: 7, name: 'Fast' }], tools: ['get_time'], agents: [{ id: 1, name: 'Editor' }] }
const file = (...agents: object[]) => JSON.stringify({ format: 'neta.agents', version: 1, agents })
const good = { name: 'Writer', model: 'Fast', systemPrompt: 'Write.', tools: ['get_time'] }

function only(json: string): Candidate {
  const reading = read(json, known)
  if (!reading.ok || !reading.candidates[0]) throw new Error('not read')
  return reading.candidates[0]
}
const notes = (json: string) => only(json).notes.map(({ key, names }) => [key, ...names])

describe('a file that can’t be read', () => {
  test.each([
    ['json', '{'],
    ['format', '[]'],
    ['format', '{"agents": []}'],
    ['version', '{"format": "neta.agents", "version": 2, "agents": []}'],
    ['none', file()],
  ])('%s: %s', (why, json) => expect(read(json, known)).toEqual({ ok: false, why }))
})

describe('an agent of a file', () => {
  test('has its model by name', () => {
    expect(only(file(good)).spec).toMatchObject({ name: 'Writer', modelId: 7, tools: ['get_time'] })
    expect(only(file(good)).notes).toEqual([])
  })
  test('can’t be made with a model that is not here, until another is chosen', () => {
    const one = only(file({ ...good, model: 'Other' }))
    expect(one.notes).toEqual([{ kind: 'error', key: 'model', names: ['Other'] }])
    expect(isReady(one)).toBe(false)
    expect(isReady(withModel(one, 7))).toBe(true)
    expect(withModel(one, 7).spec.modelId).toBe(7)
  })
  test('loses tools that are not here, and says which', () => {
    const json = file({ ...good, tools: ['get_time', 'shell'], subagentConfig: { allowedToolNames: ['http'] } })
    expect(notes(json)).toEqual([['tools', 'shell', 'http']])
    expect(only(json).spec.subagentConfig?.allowedToolNames).toEqual([])
  })
  test('gets another name where its own is taken, also within the file', () => {
    const reading = read(file({ ...good, name: 'editor' }, { ...good, name: 'Editor' }), known)
    expect(reading.ok && reading.candidates.map(({ spec }) => spec.name)).toEqual(['editor 2', 'Editor 3'])
  })
  test('may call agents of the file and those that are here, and others not', () => {
    const one = { ...good, subagentConfig: { allowedPresetAgents: ['Editor', 'Second', 'Nobody'] } }
    const reading = read(file(one, { ...good, name: 'Second' }), known)
    const first = reading.ok ? reading.candidates[0] : undefined
    expect(first?.notes).toEqual([{ kind: 'warning', key: 'presets', names: ['Nobody'] }])
    expect(first && presetIds(first, new Map([['editor', 1], ['second', 9]]))).toEqual([1, 9])
  })
  test('with values that can’t be used is not made', () => {
    expect(notes(file({ ...good, temperature: 9 }))).toEqual([['field', 'temperature']])
    expect(notes(file({ ...good, name: ' ' }))).toEqual([['field', 'name']])
  })
  test('with values of another kind has none', () => {
    expect(only(file({ ...good, temperature: 'hot', tools: 'all', published: 1 })).spec).toMatchObject({ temperature: null, tools: null, published: true })
  })
  test('alone, without our frame, is read too', () => expect(only(JSON.stringify(good)).spec.name).toBe('Writer'))
})

test('what was exported is read as it was', () => {
  const agent = { id: 5, name: 'Lead', description: 'd', systemPrompt: 'p', modelId: 7, tools: null, icon: '🔎', starters: ['q'], subagentConfig: { enabled: true, maxConcurrent: 2, allowedPresetAgentIds: [1], allowedToolNames: [] } } as unknown as Agent
  const names = { model: () => 'Fast', agent: () => 'Editor' }
  const one = only(JSON.stringify(exported([agent], names)))
  expect(one.notes).toEqual([])
  expect(one.presets).toEqual(['Editor'])
  expect(one.spec).toMatchObject({ name: 'Lead', modelId: 7, tools: null, icon: '🔎', starters: ['q'], subagentConfig: { enabled: true, maxConcurrent: 2, allowedToolNames: [] } })
})

test('a free name counts on from the number that it has', () => {
  expect(freeName('Editor 2', new Set(['editor 2', 'editor 3']))).toBe('Editor 4')
  expect(freeName('Other', new Set(['editor']))).toBe('Other')
})
