// Whether the thread keeps its end in view. It does while the reader is at the end; any movement
// upwards ends that at once, and only the reader's own way back down begins it again. What grows
// elsewhere never moves what is being read.
import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue'

/** So near to the end, a reader counts as being there. */
export const NEAR = 48
/** What comes in above is measured over some frames; so long the row in view is held. */
const SETTLING_FRAMES = 12
const UP_KEYS = new Set(['ArrowUp', 'PageUp', 'Home'])
const DOWN_KEYS = new Set(['ArrowDown', 'PageDown', 'End', ' '])

export interface Follow {
  following: Ref<boolean>
  /** To the end, and follow it from now on. */
  toEnd: () => void
  /** Stay where we are, as before going to a message. */
  release: () => void
  /** To a row, and held there while what is around it is measured; it has the focus then. */
  bringUp: (find: () => HTMLElement | null | undefined) => Promise<void>
  /** Runs a change of what is above, and keeps the row that is in view where it is. */
  keepPlace: (change: () => Promise<void>) => Promise<void>
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

/** The first row that is not above the view. */
function rowInView(el: HTMLElement): HTMLElement | undefined {
  const top = el.getBoundingClientRect().top
  return [...el.querySelectorAll<HTMLElement>('[data-row]')].find((row) => row.getBoundingClientRect().bottom > top)
}

export function useFollowScroll(scroller: Ref<HTMLElement | null>, content: Ref<HTMLElement | null>): Follow {
  const following = ref(true)
  /** The reader's last own movement; only their way down may begin to follow. */
  const intent = shallowRef<'up' | 'down' | undefined>()
  let lastTop = 0
  let lastHeight = 0
  let touchY = 0
  let dragging = false
  /** Counts the reader's own movements. */
  let movements = 0

  const distance = (el: HTMLElement) => el.scrollHeight - el.clientHeight - el.scrollTop

  function remember(el: HTMLElement) {
    lastTop = el.scrollTop
    lastHeight = el.scrollHeight
  }
  function stick() {
    const el = scroller.value
    if (!el || !following.value) return
    if (distance(el) > 0) el.scrollTop = el.scrollHeight
    remember(el)
  }
  function went(direction: 'up' | 'down') {
    intent.value = direction
    movements += 1
    const el = scroller.value
    if (!el) return
    if (direction === 'up') {
      if (el.scrollTop > 0) following.value = false
    } else if (distance(el) <= NEAR) following.value = true
  }

  function onScroll() {
    const el = scroller.value
    if (!el) return
    const top = el.scrollTop
    const shrunk = el.scrollHeight < lastHeight
    if (top < lastTop - 1 && !shrunk) {
      if (dragging) intent.value = 'up'
      following.value = false
    } else if (top > lastTop + 1 && dragging) intent.value = 'down'
    if (!following.value && intent.value === 'down' && distance(el) <= NEAR) following.value = true
    remember(el)
  }
  const onWheel = (event: WheelEvent) => {
    if (event.deltaY !== 0 && !event.ctrlKey) went(event.deltaY < 0 ? 'up' : 'down')
  }
  const onTouchstart = (event: TouchEvent) => (touchY = event.touches[0]?.clientY ?? 0)
  const onTouchmove = (event: TouchEvent) => {
    const y = event.touches[0]?.clientY ?? touchY
    // The finger goes down: the page goes up.
    if (Math.abs(y - touchY) > 2) went(y > touchY ? 'up' : 'down')
    touchY = y
  }
  const onKeydown = (event: KeyboardEvent) => {
    if (isField(event.target)) return
    if (UP_KEYS.has(event.key) || (event.key === ' ' && event.shiftKey)) went('up')
    else if (DOWN_KEYS.has(event.key)) went('down')
  }
  const onPointerdown = (event: PointerEvent) => {
    dragging = event.target === scroller.value
    if (dragging) movements += 1
  }
  const onPointerup = () => (dragging = false)

  const resized = new ResizeObserver(stick)
  function attach(el: HTMLElement): () => void {
    const passive = { passive: true }
    el.addEventListener('scroll', onScroll, passive)
    el.addEventListener('wheel', onWheel, passive)
    el.addEventListener('touchstart', onTouchstart, passive)
    el.addEventListener('touchmove', onTouchmove, passive)
    el.addEventListener('keydown', onKeydown)
    el.addEventListener('pointerdown', onPointerdown)
    window.addEventListener('pointerup', onPointerup)
    resized.observe(el)
    return () => {
      el.removeEventListener('scroll', onScroll)
      el.removeEventListener('wheel', onWheel)
      el.removeEventListener('touchstart', onTouchstart)
      el.removeEventListener('touchmove', onTouchmove)
      el.removeEventListener('keydown', onKeydown)
      el.removeEventListener('pointerdown', onPointerdown)
      window.removeEventListener('pointerup', onPointerup)
      resized.unobserve(el)
    }
  }
  let detach: (() => void) | undefined
  watch(
    scroller,
    (el) => {
      detach?.()
      detach = el ? attach(el) : undefined
    },
    { immediate: true, flush: 'post' },
  )
  watch(
    content,
    (el, before) => {
      if (before) resized.unobserve(before)
      if (el) resized.observe(el)
    },
    { immediate: true, flush: 'post' },
  )
  onScopeDispose(() => {
    detach?.()
    resized.disconnect()
  })

  return {
    following,
    toEnd: () => {
      following.value = true
      stick()
    },
    release: () => {
      intent.value = undefined
      following.value = false
    },
    bringUp: async (find) => {
      following.value = false
      const row = find()
      row?.focus({ preventScroll: true })
      const movement = movements
      for (let frame = 0; frame < SETTLING_FRAMES && movement === movements; frame += 1) {
        find()?.scrollIntoView({ block: 'start' })
        await new Promise(requestAnimationFrame)
      }
    },
    keepPlace: async (change) => {
      const el = scroller.value
      const held = el && rowInView(el)
      if (!el || !held) return change()
      const before = held.getBoundingClientRect().top
      const movement = movements
      await change()
      for (let frame = 0; frame < SETTLING_FRAMES && movement === movements && held.isConnected; frame += 1) {
        const drift = held.getBoundingClientRect().top - before
        if (Math.abs(drift) >= 0.5) el.scrollTop += drift
        remember(el)
        await new Promise(requestAnimationFrame)
      }
    },
  }
}
