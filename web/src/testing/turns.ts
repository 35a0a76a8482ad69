// Turns and batches for tests.
import type { SubagentBatch, SubagentItem, ToolActivity } from '@/api/types'
import type { Turn } from '@/stores/turn'

export function aTurn(part: Partial<Turn> = {}): Turn {
  return {
    messageId: 2,
    sessionId: 's',
    runId: 7,
    status: 'completed',
    content: '',
    thinking: '',
    todos: [],
    tools: [],
    subagents: [],
    pauses: [],
    createTime: '2026-01-01T10:00:00Z',
    ended: true,
    ...part,
  }
}

export function anItem(id: number, part: Partial<SubagentItem> = {}): SubagentItem {
  return { id, name: `Agent ${id}`, sourceType: 'clone', status: 'running', goal: `Goal ${id}`, sortOrder: id, ...part }
}

export function aBatch(items: SubagentItem[], part: Partial<SubagentBatch> = {}): SubagentBatch {
  const summary = { total: items.length, queued: 0, running: 0, completed: 0, failed: 0, cancelled: 0 }
  return { parentMessageId: 2, batchId: 'b', title: 'Research', items, summary, limit: 3, ...part }
}

export function aCall(toolCallId: string, name: string, part: Partial<ToolActivity> = {}): ToolActivity {
  return { toolCallId, name, arguments: '{}', status: 'ok', preview: 'done', durationMs: 10, ...part }
}
