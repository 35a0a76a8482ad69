// While a text is written, what stands is not made again.
// The sanitizer needs a whole DOM.
// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest'
import { mount } from '@vue/test-utils'
import { nextTick } from 'vue'
import { useLocale } from '@/i18n'
import * as render from './render'
import StreamMarkdown from './StreamMarkdown.vue'

let frames: FrameRequestCallback[] = []
beforeEach(async () => {
  await useLocale('en')
  frames = []
  vi.stubGlobal('requestAnimationFrame', (call: FrameRequestCallback) => frames.push(call))
  vi.stubGlobal('cancelAnimationFrame', () => undefined)
})
async function paint(): Promise<void> {
  frames.splice(0).forEach((call) => call(performance.now()))
  await nextTick()
}

const SECTION = '## A section\n\nSome words, **bold** ones too, that fill a paragraph as an answer does.\n\n- one\n- two\n\n```rust\nfn main() { println!("hello"); }\n```\n\n'

async function rendersOf(text: string, step: number): Promise<number> {
  const made = vi.spyOn(render, 'renderBlock')
  const page = mount(StreamMarkdown, { props: { text: '', streaming: true } })
  for (let end = step; end < text.length + step; end += step) {
    await page.setProps({ text: text.slice(0, end) })
    await paint()
  }
  await page.setProps({ streaming: false })
  const count = made.mock.calls.reduce((sum, [block]) => sum + block.text.length, 0)
  made.mockRestore()
  page.unmount()
  return count
}

test('the work grows with the text, not with its square', async () => {
  const text = SECTION.repeat(Math.ceil(100_000 / SECTION.length))
  const half = await rendersOf(text.slice(0, 50_000), 1000)
  const whole = await rendersOf(text, 1000)
  expect(whole).toBeLessThan(half * 2.5)
}, 60_000)

test('many pieces in one frame are painted once', async () => {
  const made = vi.spyOn(render, 'renderBlock')
  const page = mount(StreamMarkdown, { props: { text: 'a', streaming: true } })
  const before = made.mock.calls.length
  for (let n = 0; n < 50; n += 1) await page.setProps({ text: 'a'.repeat(n + 2) })
  expect(made.mock.calls.length).toBe(before)
  await paint()
  expect(made.mock.calls.length).toBe(before + 1)
  expect(page.text()).toBe('a'.repeat(51))
  made.mockRestore()
})

test('nothing is lost when the stream ends between two frames', async () => {
  const page = mount(StreamMarkdown, { props: { text: 'a', streaming: true } })
  await page.setProps({ text: 'a b c' })
  await page.setProps({ streaming: false })
  expect(page.text()).toBe('a b c')
})

test('the blocks that stand keep their elements', async () => {
  const page = mount(StreamMarkdown, { props: { text: 'one\n\ntwo\n\nth', streaming: true } })
  const first = page.find('p').element
  await page.setProps({ text: 'one\n\ntwo\n\nthree\n\nfour' })
  await paint()
  await page.setProps({ streaming: false })
  expect(page.find('p').element).toBe(first)
})

test('copying a code block copies the code alone', async () => {
  const written = vi.fn(async (_text: string) => undefined)
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: written } })
  vi.stubGlobal('isSecureContext', true)
  const page = mount(StreamMarkdown, { props: { text: '```js\nlet a = 1 < 2\n```' } })
  await page.find('[data-code="copy"]').trigger('click')
  expect(written).toHaveBeenCalledWith('let a = 1 < 2\n')
  await vi.waitFor(() => expect(page.find('[data-code="copy"]').text()).toBe('Copied'))
})
