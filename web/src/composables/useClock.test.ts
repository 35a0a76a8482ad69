// The clock goes on for those who look, also after the first of them has left.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { mount } from '@vue/test-utils'
import ElapsedTime from '@/components/ElapsedTime.vue'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('it ticks on when the one that started it is gone', async () => {
  const from = new Date(Date.now()).toISOString()
  const first = mount(ElapsedTime, { props: { from } })
  const second = mount(ElapsedTime, { props: { from } })
  first.unmount()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(second.text()).toBe('5s')
})
