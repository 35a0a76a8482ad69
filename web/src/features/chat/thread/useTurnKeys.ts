// Alt+↑ and Alt+↓ go to the user's message before and after what is in view.
import type { Ref } from 'vue'
import { useShortcuts } from '@/features/shell/shortcuts/useShortcuts'

interface Thread {
  bringUp: (find: () => HTMLElement | null) => Promise<void>
  earlier: () => Promise<void>
}

/** A row counts as passed once its top is this near to the top of the view. */
const SLACK = 24

export function useTurnKeys(scroller: Ref<HTMLElement | null>, thread: Thread): void {
  async function go(step: -1 | 1) {
    const el = scroller.value
    if (!el) return
    const top = el.getBoundingClientRect().top
    const rows = () => [...el.querySelectorAll<HTMLElement>('[data-user]')]
    const offset = (row: HTMLElement) => row.getBoundingClientRect().top - top
    const find = () =>
      step < 0 ? rows().findLast((row) => offset(row) < -SLACK) : rows().find((row) => offset(row) > SLACK)
    let row = find()
    if (!row && step < 0) {
      await thread.earlier()
      row = find()
    }
    if (!row) return
    const { id } = row
    await thread.bringUp(() => document.getElementById(id))
  }
  const shortcut = { group: 'chat.keys.thread', whileTyping: true }
  useShortcuts([
    { ...shortcut, keys: 'alt+up', label: 'chat.keys.previous', run: () => void go(-1) },
    { ...shortcut, keys: 'alt+down', label: 'chat.keys.next', run: () => void go(1) },
    { group: shortcut.group, keys: '[', label: 'turn.keys.fold' },
    { group: shortcut.group, keys: ']', label: 'turn.keys.unfold' },
  ])
}
