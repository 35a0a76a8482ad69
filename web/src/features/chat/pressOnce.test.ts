// Double presses.
import { expect, test } from 'vitest'
import { PRESS_MS, pressOnce } from './pressOnce'

test('of presses that follow each other on one thing the first counts, also of many', () => {
  let now = 0
  const counts = pressOnce(() => now)
  expect(counts(1)).toBe(true)
  for (let n = 0; n < 5; n += 1) {
    now += PRESS_MS - 1
    expect(counts(1)).toBe(false)
  }
  expect(counts(2)).toBe(true)
  now += PRESS_MS
  expect(counts(1)).toBe(true)
})
