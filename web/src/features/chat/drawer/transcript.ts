// A subagent's journal as it is read: thoughts, words, calls with their results, notes.
import type { ToolActivity } from '@/api/types'

export type Entry =
  | { kind: 'thinking' | 'text'; text: string }
  | { kind: 'call'; call: ToolActivity }
  | { kind: 'note'; note: string }

type Fields = Record<string, unknown>

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Steps of a kind that is not known here are passed over. */
export function entriesOf(steps: readonly unknown[]): Entry[] {
  const entries: Entry[] = []
  const open = new Map<string, ToolActivity>()
  for (const step of steps.map(fields)) {
    switch (step['kind']) {
      case 'model':
        addResponse(fields(step['response']), entries, open)
        break
      case 'tool_result':
        addResult(step, open)
        break
      case 'note':
        entries.push({ kind: 'note', note: text(step['note']) })
    }
  }
  return entries
}

function addResponse(response: Fields, entries: Entry[], open: Map<string, ToolActivity>): void {
  for (const kind of ['thinking', 'text'] as const) {
    const said = text(response[kind])
    if (said.trim()) entries.push({ kind, text: said })
  }
  const calls = Array.isArray(response['calls']) ? response['calls'] : []
  for (const made of calls.map(fields)) {
    const call: ToolActivity = { toolCallId: text(made['id']), name: text(made['name']), arguments: text(made['arguments']), status: 'running' }
    open.set(call.toolCallId, call)
    entries.push({ kind: 'call', call })
  }
}

function addResult(step: Fields, open: Map<string, ToolActivity>): void {
  const call = open.get(text(step['toolCallId']))
  if (!call) return
  const result = text(step['text'])
  call.status = text(step['status']) as ToolActivity['status']
  call.preview = result
  call.resultChars = result.length
  call.argumentChars = call.arguments.length
  if (typeof step['durationMs'] === 'number') call.durationMs = step['durationMs']
}
