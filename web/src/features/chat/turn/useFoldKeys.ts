// `[` folds all cards of the turn that has the focus, `]` opens them.
import { useEventListener } from '@vueuse/core'
import type { Ref } from 'vue'
import type { Turn } from '@/stores/turn'
import { groupsOf, shownTools } from './toolCalls'
import { foldAll } from './useFold'

function partsOf(turn: Turn): string[] {
  const tools = groupsOf(shownTools(turn.tools, turn.subagents))
  return [
    'todos',
    ...turn.subagents.map((batch) => `batch:${batch.batchId}`),
    ...tools.map((group) => (group.calls.length > 1 ? `tools:${group.key}` : `tool:${group.key}`)),
    'thinking',
  ]
}

/** `root` is the assistant's half; the focus may be on the whole turn, which is around it. */
export function useFoldKeys(root: Readonly<Ref<HTMLElement | null>>, turn: () => Turn): void {
  useEventListener(
    () => root.value?.parentElement,
    'keydown',
    (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== '[' && event.key !== ']')) return
      if (event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]')) return
      foldAll(turn().messageId, partsOf(turn()), event.key === ']')
    },
  )
}
