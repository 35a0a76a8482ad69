// A field's name, and its value in words.
import { useI18n } from 'vue-i18n'
import type { Draft, Field } from './draft'

const LABELS: Partial<Record<Field, string>> = {
  modelId: 'model',
  'subagentConfig.enabled': 'enabled',
  'subagentConfig.maxConcurrent': 'maxConcurrent',
  'subagentConfig.allowedPresetAgentIds': 'presets',
  'subagentConfig.allowedToolNames': 'subagentTools',
}

interface Names {
  model: (id: number) => string | undefined
  agent: (id: number) => string | undefined
}

export function useFieldText(names: Names) {
  const { t } = useI18n()
  const label = (field: Field) => t(`agents.fields.${LABELS[field] ?? field}`)

  function text(field: Field, draft: Draft): string {
    const value = draft[field]
    if (field === 'modelId') return names.model(draft.modelId) ?? t('agents.models.unknown', { id: draft.modelId })
    if (field === 'starters') return draft.starters.join('\n') || t('agents.none')
    if (Array.isArray(value)) {
      if (value.length === 0) return t('agents.ways.none')
      const list = value.map((item) => (typeof item === 'number' ? (names.agent(item) ?? t('agents.presets.unknown', { id: item })) : item))
      return list.join(', ')
    }
    if (value === null) return t(isList(field) ? 'agents.ways.all' : 'agents.inherited')
    if (typeof value === 'boolean') return t(value ? 'agents.yes' : 'agents.no')
    return String(value) || t('agents.none')
  }
  return { label, text }
}

function isList(field: Field): boolean {
  return field === 'tools' || field === 'subagentConfig.allowedPresetAgentIds' || field === 'subagentConfig.allowedToolNames'
}
