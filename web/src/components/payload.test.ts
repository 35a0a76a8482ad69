// Payloads are shown in pieces that together are the text, and saved as they are.
import { expect, test, vi } from 'vitest'
import { mount } from '@vue/test-utils'
import { MAX_RICH_CHARS, piecesOf, prettyJson } from './payload'
import PayloadView from './PayloadView.vue'

const MEGABYTE = Array.from({ length: 20_000 }, (_, n) => `line ${n} with some words of text, 文字`).join('\n')

test('a megabyte comes in small pieces that are the whole', () => {
  const pieces = piecesOf(MEGABYTE)
  expect(pieces.join('')).toBe(MEGABYTE)
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(8_001)
})

test('one line without an end is broken, never within a character', () => {
  const text = 'a' + '😀'.repeat(20_000)
  const pieces = piecesOf(text)
  expect(pieces.join('')).toBe(text)
  for (const piece of pieces) expect(() => encodeURIComponent(piece)).not.toThrow()
})

test('JSON is indented up to a length, other text never', () => {
  expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
  expect(prettyJson('{broken')).toBeUndefined()
  expect(prettyJson('7')).toBeUndefined()
  expect(prettyJson(`["${'x'.repeat(MAX_RICH_CHARS)}"]`)).toBeUndefined()
})

test('what is saved is the source', async () => {
  let saved: Blob | undefined
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved = blob as Blob
    return 'blob:x'
  })
  const page = mount(PayloadView, { props: { text: MEGABYTE, name: 'result.txt' } })
  await page.find('[aria-label="Download"]').trigger('click')
  expect(await saved?.text()).toBe(MEGABYTE)
})

test('of a beginning only, the rest is asked for before it is copied or saved', async () => {
  const page = mount(PayloadView, { props: { text: 'begin', name: 'x', total: 90_000 } })
  expect(page.find('[aria-label="Download"]').exists()).toBe(false)
  await page.find('.mode').trigger('click')
  expect(page.emitted('load')).toHaveLength(1)
})
