// Where the setup finds its token.
import { expect, test } from 'vitest'
import { tokenOf } from './setupToken'

test.each([
  ['#token=abc', undefined, 'abc'],
  ['#abc', undefined, 'abc'],
  ['', 'abc', 'abc'],
  ['', undefined, ''],
  ['#other=1', 'abc', 'abc'],
])('%s with %s', (hash, query, expected) => {
  expect(tokenOf(hash, query)).toBe(expected)
})
