// Which tool calls are shown as such, how they are put together, and what they are called in one line.
import type { SubagentBatch, ToolActivity } from '@/api/types'
import type { State } from '@/components/states'
import { questionOf } from './question'

/** Tools that are seen each for itself. */
const ALONE = new Set(['clarify'])

/** As many equal ones in a row are put together. */
const FOLD_FROM = 3

export interface ToolGroup {
  key: string
  name: string
  calls: ToolActivity[]
}

/** Without those that are seen otherwise: the plan, the batches, the questions that are open, or whose
 *  cards are still there (`asked`). */
export function shownTools(tools: ToolActivity[], batches: SubagentBatch[], asked: string[] = []): ToolActivity[] {
  const handedOver = new Set(batches.map((batch) => batch.batchId))
  return tools.filter((tool) => {
    if (handedOver.has(tool.toolCallId)) return false
    if (tool.name === 'todo_write') return tool.status === 'error'
    return tool.name !== 'clarify' || !(tool.status === 'running' || asked.includes(questionOf(tool)))
  })
}

/** Three or more equal ones in a row are one group; what runs is always seen alone. */
export function groupsOf(tools: ToolActivity[]): ToolGroup[] {
  const groups: ToolGroup[] = []
  for (let from = 0; from < tools.length; ) {
    const name = tools[from]?.name ?? ''
    let to = from
    while (to < tools.length && tools[to]?.name === name) to += 1
    const equal = tools.slice(from, to)
    if (equal.length >= FOLD_FROM && !ALONE.has(name)) groups.push({ key: equal[0]?.toolCallId ?? '', name, calls: equal })
    else groups.push(...equal.map((call) => ({ key: call.toolCallId, name, calls: [call] })))
    from = to
  }
  return groups
}

/** The first argument that says something. */
export function argumentLine(text: string): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text.replace(/\s+/g, ' ').trim().slice(0, 200)
  }
  if (typeof value !== 'object' || value === null) return String(value)
  const first = Object.values(value).find((inner) => inner !== null && inner !== '' && !(Array.isArray(inner) && inner.length === 0))
  const line = typeof first === 'string' ? first : first === undefined ? '' : JSON.stringify(first)
  return line.replace(/\s+/g, ' ').trim().slice(0, 200)
}

export function stateOfTool(tool: ToolActivity, ended: boolean): State {
  switch (tool.status) {
    case 'running':
      return ended ? 'cancelled' : 'running'
    case 'ok':
      return 'completed'
    case 'expired':
      return 'cancelled'
    default:
      return 'failed'
  }
}
