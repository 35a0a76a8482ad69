// Renaming: what ends it, and with what.
import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import RenameField from './RenameField.vue'

function field(typed?: string) {
  const view = mount(RenameField, { props: { title: 'before' } })
  if (typed !== undefined) void view.get('input').setValue(typed)
  return view
}
const press = (view: ReturnType<typeof field>, key: string, init: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init })
  view.get('input').element.dispatchEvent(event)
  return event
}

test('Enter keeps the title, and goes no further than the field', () => {
  const view = field(' after ')
  const event = press(view, 'Enter')
  expect(view.emitted('end')).toEqual([['after']])
  expect(event.defaultPrevented).toBe(true)
})

test('leaving keeps it, and says so once', async () => {
  const view = field('after')
  press(view, 'Enter')
  await view.get('input').trigger('blur')
  expect(view.emitted('end')).toEqual([['after']])
})

test('Esc, nothing, and the same title change nothing', async () => {
  for (const [typed, key] of [['after', 'Escape'], ['  ', 'Enter'], ['before', 'Enter']] as const) {
    const view = field(typed)
    press(view, key)
    expect(view.emitted('end')).toEqual([[undefined]])
  }
})

test('an Enter of an input method ends nothing', () => {
  const view = field('新名')
  const event = press(view, 'Enter', { isComposing: true })
  expect(view.emitted('end')).toBeUndefined()
  expect(event.defaultPrevented).toBe(false)
})
