// Agents as a file: what a person set, with the model by its name, so that it means something elsewhere. Pure.
import type { Agent, AgentSpec } from '@/api/types'
import { draftOf, specOf } from '../editor/draft'

export const FORMAT = 'neta.agents'
export const VERSION = 1

/** An agent in a file. Agents that it may call are told by name: numbers differ from place to place. */
export type ExportedAgent = Omit<AgentSpec, 'modelId' | 'subagentConfig'> & {
  model: string
  subagentConfig: Partial<Omit<NonNullable<AgentSpec['subagentConfig']>, 'allowedPresetAgentIds'>> & {
    allowedPresetAgents: string[] | null
  }
}
export interface ExportFile {
  format: typeof FORMAT
  version: typeof VERSION
  agents: ExportedAgent[]
}

export interface Names {
  model: (id: number) => string | undefined
  agent: (id: number) => string | undefined
}

export function exported(agents: Agent[], names: Names): ExportFile {
  return { format: FORMAT, version: VERSION, agents: agents.map((agent) => one(agent, names)) }
}

function one(agent: Agent, names: Names): ExportedAgent {
  const { modelId, subagentConfig, ...rest } = specOf(draftOf(agent))
  const { allowedPresetAgentIds = null, ...delegation } = subagentConfig ?? {}
  const named = allowedPresetAgentIds?.flatMap((id) => names.agent(id) ?? []) ?? null
  return { ...rest, model: names.model(modelId) ?? '', subagentConfig: { ...delegation, allowedPresetAgents: named } }
}

/** A file's name that every system takes. */
export function fileName(agents: readonly { name: string }[]): string {
  const [first] = agents
  const stem = agents.length === 1 && first ? first.name.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '') : ''
  return `neta-${stem || 'agents'}.json`
}
