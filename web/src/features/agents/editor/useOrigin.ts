// In words: which value holds, and who says so.
import { useI18n } from 'vue-i18n'
import type { Origin } from '@/api/types'

export function useOrigin() {
  const { t } = useI18n()
  function origin(effective: { value: number | boolean; from: Origin } | undefined): string | undefined {
    if (!effective) return undefined
    const { value, from } = effective
    const shown = typeof value === 'boolean' ? t(value ? 'agents.yes' : 'agents.no') : String(value)
    return t(`agents.origins.${from}`, { value: shown })
  }
  /** What an empty field says of the value that holds then. */
  function inherited(effective: { value: number; from: Origin } | undefined): string | undefined {
    return effective && effective.from !== 'agent' ? String(effective.value) : undefined
  }
  return { origin, inherited }
}
