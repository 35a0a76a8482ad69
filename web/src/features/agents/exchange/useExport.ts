// Hands agents out as a file.
import { useAgents } from '@/stores/agents'
import { useMe } from '@/stores/me'
import { useModels } from '@/stores/models'
import type { Agent } from '@/api/types'
import { exported, fileName } from './exporting'

export function useExport() {
  const agents = useAgents()
  const models = useModels()
  const me = useMe()

  async function download(list: Agent[]): Promise<void> {
    if (!models.loaded && me.may('model:view')) await models.load()
    const called = list.flatMap((agent) => agent.subagentConfig?.allowedPresetAgentIds ?? [])
    const unknown = [...new Set(called)].filter((id) => !agents.byId.has(id))
    await Promise.allSettled(unknown.map((id) => agents.load(id)))
    const file = exported(list, { model: (id) => models.byId.get(id)?.name, agent: (id) => agents.byId.get(id)?.name })
    const address = URL.createObjectURL(new Blob([JSON.stringify(file, null, 2)], { type: 'application/json' }))
    const link = document.createElement('a')
    link.href = address
    link.download = fileName(list)
    link.click()
    URL.revokeObjectURL(address)
  }
  return { download }
}
