// A role's name: those that are built in have one in each language.
import { useI18n } from 'vue-i18n'
import type { Role } from '@/api/types'

export function useRoleName() {
  const { t, te } = useI18n()
  return (role: Role | undefined, id?: number): string => {
    if (!role) return `#${id ?? '?'}`
    const key = `settings.builtIn.${role.name}.name`
    return role.builtIn && te(key) ? t(key) : role.name
  }
}
