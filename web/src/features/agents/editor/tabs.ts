// The editor's tabs, and which field stands on which.
import type { Field } from './draft'

export const TABS = ['basic', 'prompt', 'tools', 'subagents', 'sharing'] as const
export type Tab = (typeof TABS)[number]

const PLACES: Record<Field, Tab> = {
  name: 'basic',
  icon: 'basic',
  description: 'basic',
  published: 'basic',
  starters: 'basic',
  modelId: 'basic',
  temperature: 'basic',
  isCrewMaster: 'basic',
  systemPrompt: 'prompt',
  tools: 'tools',
  maxToolRounds: 'tools',
  maxWallSeconds: 'tools',
  budgetTokens: 'tools',
  budgetCost: 'tools',
  'subagentConfig.enabled': 'subagents',
  'subagentConfig.maxConcurrent': 'subagents',
  'subagentConfig.allowedPresetAgentIds': 'subagents',
  'subagentConfig.allowedToolNames': 'subagents',
}

export function tabOf(field: Field): Tab {
  return PLACES[field]
}

export function isTab(value: unknown): value is Tab {
  return TABS.includes(value as Tab)
}
