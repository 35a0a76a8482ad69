// Why a subagent can't have a tool, whatever the agent's list says. Pure.
import type { EffectiveDelegation, Origin, ToolInfo } from '@/api/types'
import type { Draft } from './draft'

export interface Lock {
  /** Below `agents.locks`. */
  key: 'delegates' | 'asksUser' | 'writesMemory' | 'scene' | 'blocked' | 'notListed'
  from?: Origin
}

export function lockOf(tool: ToolInfo, draft: Draft, effective: EffectiveDelegation | undefined): Lock | undefined {
  const { delegates, asksUser, writesMemory } = tool.flags
  if (delegates) return { key: 'delegates' }
  if (asksUser) return { key: 'asksUser' }
  if (writesMemory) return { key: 'writesMemory' }
  const blocked = effective?.blockedToolNames.find(({ name }) => name === tool.name)
  if (blocked) return { key: 'blocked', from: blocked.from }
  if (!tool.scenes.includes('subagent')) return { key: 'scene' }
  if (draft.tools && !draft.tools.includes(tool.name)) return { key: 'notListed' }
  return undefined
}
