// What is special about an agent, as small marks. Pure.
import type { Agent } from '@/api/types'

export type Mark = 'delegates' | 'unpublished' | 'shared' | 'master'

export function marksOf(agent: Agent): Mark[] {
  const marks: [Mark, boolean][] = [
    ['master', agent.isCrewMaster ?? false],
    ['delegates', agent.effectiveSubagentConfig.enabled.value],
    ['unpublished', agent.published === false],
    ['shared', agent.visibility === 'shared'],
  ]
  return marks.filter(([, holds]) => holds).map(([mark]) => mark)
}
