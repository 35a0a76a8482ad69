// What a batch of subagents amounts to at this moment.
import type { SubagentBatch, SubagentItem, TokenUsage } from '@/api/types'
import { stateOfSubagent, type State } from '@/components/states'

export interface Counts {
  total: number
  queued: number
  running: number
  completed: number
  failed: number
  cancelled: number
}

/** Rows that are seen without asking for more. */
export const ROWS = 6

export function isOver(item: SubagentItem): boolean {
  return item.status !== 'queued' && item.status !== 'running'
}

export function inOrder(batch: SubagentBatch): SubagentItem[] {
  return [...batch.items].sort((a, b) => a.sortOrder - b.sortOrder)
}

/** By its rows; those that are announced and not here yet are queued. */
export function countsOf(batch: SubagentBatch): Counts {
  const total = Math.max(batch.items.length, batch.summary.total)
  const counts: Counts = { total, queued: total - batch.items.length, running: 0, completed: 0, failed: 0, cancelled: 0 }
  for (const item of batch.items) counts[item.status === 'timed_out' ? 'failed' : item.status] += 1
  return counts
}

export function statesOf(batch: SubagentBatch): State[] {
  const states: State[] = inOrder(batch).map((item) => stateOfSubagent(item.status))
  while (states.length < batch.summary.total) states.push('queued')
  return states
}

export function tokensOf(usage: TokenUsage | null | undefined): number {
  return usage ? usage.inputTokens + usage.outputTokens : 0
}

export function batchTokens(batch: SubagentBatch): number {
  return batch.items.reduce((sum, item) => sum + tokensOf(item.tokenUsage), 0)
}

/** From the first beginning to the last end; no end while one goes on. */
export function spanOf(batch: SubagentBatch): { from: string; to?: string } | undefined {
  const begun = batch.items.map((item) => item.startedAt).filter((at): at is string => Boolean(at)).sort()
  if (!begun[0]) return undefined
  if (!batch.items.every(isOver) || batch.items.length < batch.summary.total) return { from: begun[0] }
  const ended = batch.items.map((item) => item.endedAt).filter((at): at is string => Boolean(at)).sort()
  return { from: begun[0], to: ended.at(-1) ?? begun.at(-1) }
}

/** How many wait before this one. */
export function aheadOf(batch: SubagentBatch, item: SubagentItem): number {
  return batch.items.filter((other) => other.status === 'queued' && other.sortOrder < item.sortOrder).length
}

/** The rows that are shown at first: what runs and what failed, then the others by their order. */
export function firstRows(items: SubagentItem[]): SubagentItem[] {
  if (items.length <= ROWS) return items
  const urgent = new Set(items.filter((item) => item.status === 'running' || item.status === 'failed' || item.status === 'timed_out'))
  let room = ROWS - urgent.size
  return items.filter((item) => {
    if (urgent.has(item)) return true
    room -= 1
    return room >= 0
  })
}

/** The first line that says something. */
export function firstLine(text: string | null | undefined): string {
  return text?.split('\n').find((line) => line.trim())?.trim() ?? ''
}

/** The last line that says something, at most 200 characters of it. */
export function lastLine(text: string): string {
  const end = text.trimEnd()
  return end.slice(end.lastIndexOf('\n') + 1).slice(-200).trim()
}
