// Which calls are seen, put together, and how they read in one line.
import { expect, test } from 'vitest'
import { aBatch, aCall } from '@/testing/turns'
import { argumentLine, groupsOf, shownTools } from './toolCalls'

test('what is seen otherwise is no tool card', () => {
  const tools = [
    aCall('b', 'delegate_parallel'),
    aCall('refused', 'delegate_task', { status: 'error' }),
    aCall('p', 'todo_write'),
    aCall('q', 'clarify', { status: 'running' }),
    aCall('r', 'clarify'),
    aCall('t', 'get_time'),
  ]
  expect(shownTools(tools, [aBatch([])]).map((tool) => tool.toolCallId)).toEqual(['refused', 'r', 't'])
})

test('three equal ones in a row are one, two are two', () => {
  const calls = (names: string) => [...names].map((name, n) => aCall(`${n}`, name))
  const sizes = (names: string) => groupsOf(calls(names)).map((group) => group.calls.length)
  expect(sizes('aabb')).toEqual([1, 1, 1, 1])
  expect(sizes('aaabbbba')).toEqual([3, 4, 1])
  expect(sizes('')).toEqual([])
})

test('questions are never put together', () => {
  expect(groupsOf([1, 2, 3].map((n) => aCall(`${n}`, 'clarify')))).toHaveLength(3)
})

test.each([
  ['{"query":"two\\nlines","limit":3}', 'two lines'],
  ['{"a":null,"b":"","c":[],"d":7}', '7'],
  ['{"filter":{"x":1}}', '{"x":1}'],
  ['{}', ''],
  ['not json', 'not json'],
  ['', ''],
])('%s reads as %s', (text, line) => expect(argumentLine(text)).toBe(line))
