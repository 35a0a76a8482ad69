// What a model's form sends.
import { expect, test } from 'vitest'
import type { Model } from '@/api/types'
import { formOf, inputOf, patchOf } from './modelForm'

const stored: Model = {
  id: 7,
  name: 'Fast',
  provider: 'openai',
  modelName: 'gpt-4.1-mini',
  baseUrl: 'https://api.openai.com/v1',
  hasApiKey: true,
  trustedHost: true,
  contextWindow: null,
  maxOutputTokens: null,
  maxConcurrency: null,
  rpm: 500,
  tpm: null,
  inputPrice: null,
  outputPrice: null,
  createTime: '2026-01-01T00:00:00Z',
  updateTime: '2026-01-01T00:00:00Z',
}

test('nothing changed sends nothing, and no key', () => {
  expect(patchOf(stored, formOf(stored))).toEqual({})
})

test('only what changed is sent; an emptied limit is taken away', () => {
  const form = formOf(stored)
  form.limits.rpm = undefined
  form.limits.inputPrice = 0.4
  form.apiKey = ' sk-new '
  expect(patchOf(stored, form)).toEqual({ rpm: null, inputPrice: 0.4, apiKey: 'sk-new' })
})

test('a model without a name of its own is called as at its provider; the demo needs nothing', () => {
  expect(inputOf({ ...formOf(), modelName: 'gpt-x' })).toMatchObject({ name: 'gpt-x', baseUrl: null, apiKey: null })
  expect(inputOf({ ...formOf(), provider: 'demo', apiKey: 'x', baseUrl: 'y' })).toMatchObject({ modelName: 'demo', baseUrl: null, apiKey: null })
})
