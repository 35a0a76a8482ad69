import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { effectScope, nextTick, ref, type EffectScope } from 'vue'
import { useFollowScroll, type Follow } from './useFollowScroll'

/** A scroller of 500 px whose content is as high as `height` says. */
class Page {
  el = document.createElement('div')
  height = 2000
  private top = 0
  constructor() {
    Object.defineProperties(this.el, {
      scrollHeight: { get: () => this.height },
      clientHeight: { get: () => 500 },
      scrollTop: {
        get: () => this.top,
        set: (value: number) => {
          this.top = Math.min(Math.max(value, 0), this.height - 500)
        },
      },
    })
  }
  get fromEnd() {
    return this.height - 500 - this.el.scrollTop
  }
  /** The reader moves the page; the browser tells. */
  scroll(by: number) {
    this.el.scrollTop += by
    this.el.dispatchEvent(new Event('scroll'))
  }
  wheel(by: number) {
    this.el.dispatchEvent(new WheelEvent('wheel', { deltaY: by }))
    this.scroll(by)
  }
}

let scope: EffectScope
let page: Page
let follow: Follow
let grown: () => void
function grow(by: number) {
  page.height += by
  grown()
}
beforeEach(async () => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        grown = callback
      }
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  page = new Page()
  document.body.append(page.el)
  scope = effectScope()
  const made = scope.run(() => useFollowScroll(ref(page.el), ref(document.createElement('div'))))
  if (!made) throw new Error('no scope')
  follow = made
  await nextTick()
  follow.toEnd()
})
afterEach(() => {
  scope.stop()
  page.el.remove()
  vi.unstubAllGlobals()
})

test('the end stays in view while it grows', () => {
  grow(300)
  expect(page.fromEnd).toBe(0)
  grow(5)
  expect(page.fromEnd).toBe(0)
})

describe('any movement upwards ends it, however small', () => {
  const leaves: [string, () => void][] = [
    ['wheel', () => page.wheel(-5)],
    ['key', () => page.el.dispatchEvent(new KeyboardEvent('keydown', { key: 'PageUp' }))],
    ['scroll bar', () => page.scroll(-20)],
    [
      'finger',
      () => {
        page.el.dispatchEvent(new TouchEvent('touchstart', { touches: [{ clientY: 100 } as Touch] }))
        page.el.dispatchEvent(new TouchEvent('touchmove', { touches: [{ clientY: 130 } as Touch] }))
      },
    ],
  ]
  test.each(leaves)('%s', (_, leave) => {
    leave()
    const before = page.el.scrollTop
    expect(follow.following.value).toBe(false)
    grow(400)
    expect(page.el.scrollTop).toBe(before)
  })
})

test('the way back down, to within 48 px, begins it again', () => {
  page.wheel(-400)
  page.wheel(300)
  expect(follow.following.value).toBe(false)
  page.wheel(60)
  expect(follow.following.value).toBe(true)
  grow(200)
  expect(page.fromEnd).toBe(0)
})

test('what the browser moves does not begin it', () => {
  page.wheel(-30)
  // Something above grows, and the browser keeps the place: the page goes down by itself.
  page.height += 100
  page.scroll(100)
  expect(follow.following.value).toBe(false)
})

test('what gets shorter does not end it', () => {
  page.height -= 300
  page.scroll(0)
  expect(follow.following.value).toBe(true)
})

test('keys that are typed into a field are no movement', () => {
  const field = document.createElement('textarea')
  page.el.append(field)
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true }))
  expect(follow.following.value).toBe(true)
})

test('what is put in above keeps the row in view, also when it is measured late; the reader goes before', async () => {
  const row = document.createElement('div')
  row.dataset['row'] = ''
  let above = 1000
  row.getBoundingClientRect = () => new DOMRect(0, above - page.el.scrollTop, 100, 300)
  page.el.append(row)
  page.wheel(-500)
  const before = row.getBoundingClientRect().top
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback))
  const put = (by: number) => {
    above += by
    page.height += by
  }
  /** What was awaited goes on. */
  const settled = async () => {
    for (let n = 0; n < 8; n += 1) await Promise.resolve()
  }
  const frame = async () => {
    frames.shift()?.(0)
    await settled()
  }
  const kept = follow.keepPlace(async () => put(1234))
  await settled()
  expect(row.getBoundingClientRect().top).toBe(before)
  put(77)
  await frame()
  expect(row.getBoundingClientRect().top).toBe(before)
  page.wheel(-40)
  await frame()
  expect(row.getBoundingClientRect().top).toBe(before + 40)
  await kept
})
