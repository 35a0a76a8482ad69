// What is wrong with a draft.
import { describe, expect, test } from 'vitest'
import { Problem } from '@/api/problem'
import { EMPTY, type Draft } from './draft'
import { errorsOf, serverErrors } from './problems'

const good: Draft = { ...EMPTY, name: 'Editor', modelId: 1 }
const wrong = (change: Partial<Draft>) => Object.keys(errorsOf({ ...good, ...change }))

describe('checked here', () => {
  test('a good one has no errors', () => expect(errorsOf(good)).toEqual({}))
  test.each<[string, Partial<Draft>]>([
    ['name', { name: '  ' }],
    ['name', { name: '字'.repeat(101) }],
    ['icon', { icon: '123456789' }],
    ['modelId', { modelId: 0 }],
    ['temperature', { temperature: 2.1 }],
    ['temperature', { temperature: Number.NaN }],
    ['maxToolRounds', { maxToolRounds: 1.5 }],
    ['maxWallSeconds', { maxWallSeconds: 0 }],
    ['budgetTokens', { budgetTokens: Number.NaN }],
    ['budgetCost', { budgetCost: 0 }],
    ['subagentConfig.maxConcurrent', { 'subagentConfig.maxConcurrent': 65 }],
  ])('%s: %j', (field, change) => expect(wrong(change)).toEqual([field]))
  test('a name of 100 signs outside the basic plane is not too long', () => expect(wrong({ name: '😀'.repeat(100) })).toEqual([]))
})

describe('said by the server', () => {
  const body = { type: '', title: '', status: 400, detail: 'first', code: 'invalid' }
  const problem = (rest: object) => new Problem(400, 'invalid', 'first', { ...body, ...rest })
  test('every field gets what is said of it', () => {
    const errors = [
      { field: 'tools[2]', detail: 'no such tool' },
      { field: 'subagentConfig.maxConcurrent', detail: 'too many' },
      { field: 'other', detail: 'strange' },
    ]
    expect(serverErrors(problem({ errors }))).toEqual({
      errors: { tools: { text: 'no such tool' }, 'subagentConfig.maxConcurrent': { text: 'too many' } },
      rest: ['strange'],
    })
  })
  test('a single field is enough', () => {
    expect(serverErrors(problem({ field: 'modelId' })).errors).toEqual({ modelId: { text: 'first' } })
  })
})
