// What went wrong, in the words of the language in use; what the server says where we have none.
import { useI18n } from 'vue-i18n'
import { Problem, Unreachable } from '@/api/client'

export function useProblemText() {
  const { t, te } = useI18n()
  return (error: unknown): string => {
    if (typeof error === 'string') return error
    if (error instanceof Unreachable) return t('problems.unreachable')
    if (error instanceof Problem) return te(`problems.${error.code}`) ? t(`problems.${error.code}`) : error.message
    return error instanceof Error ? error.message : String(error)
  }
}
