// Hints about prompts.
import { describe, expect, test } from 'vitest'
import { EMPTY } from './draft'
import { lint, type Context } from './lint'

const context: Context = { delegates: true, mayBeCalled: true, toolNames: ['get_time', 'clarify'], given: ['get_time'] }
const hints = (systemPrompt: string, change: Partial<Context> = {}) => lint({ ...EMPTY, systemPrompt }, { ...context, ...change }).map(({ hint }) => hint)

describe('asking the user', () => {
  test.each(['Ask the user which one.', 'ask clarifying questions first', '不清楚时请询问用户', '先与用户确认需求', 'Confirm with the customer.'])('%s', (text) => {
    expect(hints(text)).toEqual(['asksUser'])
  })
  test.each(['Answer the user.', '回答用户的问题', 'The task asks for users'])('not: %s', (text) => expect(hints(text)).toEqual([]))
  test('does not matter where nobody may call it', () => expect(hints('Ask the user.', { mayBeCalled: false })).toEqual([]))
})

test('planning with subagents that it can’t have', () => {
  expect(hints('Delegate the parts.', { delegates: false })).toEqual(['plansDelegation'])
  expect(hints('把各部分委派出去', { delegates: false })).toEqual(['plansDelegation'])
  expect(hints('Delegate the parts.')).toEqual([])
})

test('a tool by name that it doesn’t have', () => {
  expect(lint({ ...EMPTY, systemPrompt: 'Use clarify, then get_time.' }, context)).toEqual([{ hint: 'namesTool', words: 'clarify' }])
  expect(hints('This clarifyXs it')).toEqual([])
  expect(hints('Use clarify.', { given: undefined })).toEqual([])
})

test('no prompt, and a long one', () => {
  expect(hints(' ')).toEqual(['empty'])
  expect(hints('word '.repeat(4000))).toEqual(['long'])
})
