// What an answer took: agents, tokens, money, and the time that working at once saved.
import type { Turn } from '@/stores/turn'
import { tokensOf } from './batch'

export interface Receipt {
  agents: number
  tokens: number
  cost?: number
  wallMs: number
  /** What each agent worked, one after the other. */
  workMs: number
  savedMs: number
  tools: number
}

const at = (iso: string) => new Date(iso).getTime()

/** None for a turn that has not ended or of which no time is known. */
export function receiptOf(turn: Turn): Receipt | undefined {
  if (!turn.ended || !turn.startedAt || !turn.endedAt) return undefined
  const wallMs = Math.max(0, at(turn.endedAt) - at(turn.startedAt))
  const spans = turn.subagents
    .flatMap((batch) => batch.items)
    .flatMap((item) => (item.startedAt && item.endedAt ? [[at(item.startedAt), at(item.endedAt)] as const] : []))
  const work = spans.reduce((sum, [from, to]) => sum + Math.max(0, to - from), 0)
  // The supervisor works whenever none of its subagents does.
  const workMs = Math.max(0, wallMs - covered(spans)) + work
  return {
    agents: 1 + turn.subagents.reduce((sum, batch) => sum + batch.items.length, 0),
    tokens: tokensOf(turn.usage),
    cost: turn.cost,
    wallMs,
    workMs,
    savedMs: Math.max(0, workMs - wallMs),
    tools: turn.tools.length,
  }
}

/** How long at least one of them lasts. */
function covered(spans: (readonly [number, number])[]): number {
  let sum = 0
  let until = -Infinity
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (to <= until) continue
    sum += to - Math.max(from, until)
    until = to
  }
  return sum
}
