// Tools by what they can do, found by name or description. Pure.
import type { ToolInfo } from '@/api/types'

export const GROUPS = ['general', 'questions', 'delegation', 'memory'] as const
export type Group = (typeof GROUPS)[number]

export function groupOf({ flags }: ToolInfo): Group {
  if (flags.delegates) return 'delegation'
  if (flags.asksUser) return 'questions'
  return flags.writesMemory ? 'memory' : 'general'
}

export function groupsOf(tools: ToolInfo[], query = ''): { name: Group; tools: ToolInfo[] }[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = tools.filter((tool) => {
    const text = `${tool.name} ${tool.description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return GROUPS.map((name) => ({ name, tools: found.filter((tool) => groupOf(tool) === name) })).filter((group) => group.tools.length > 0)
}
