// Tells of what failed or was done where no place on the page is its own.
import { ElMessage } from 'element-plus/es/components/message/index.mjs'
import 'element-plus/es/components/message/style/css'
import { useI18n } from 'vue-i18n'
import { Problem, Unreachable } from '@/api/client'

export function useNotice() {
  const { t, te } = useI18n()

  function textOf(error: unknown): string {
    if (error instanceof Unreachable) return t('problems.unreachable')
    if (error instanceof Problem) return te(`problems.${error.code}`) ? t(`problems.${error.code}`) : error.message
    return error instanceof Error ? error.message : String(error)
  }
  function failed(error: unknown): void {
    ElMessage({ type: 'error', message: textOf(error), grouping: true, duration: 5000 })
  }
  /** Runs it; what it throws is told. Whether it went well. */
  async function guard(task: () => Promise<unknown>): Promise<boolean> {
    try {
      await task()
      return true
    } catch (error) {
      failed(error)
      return false
    }
  }
  function say(message: string): void {
    ElMessage({ type: 'info', message, grouping: true })
  }
  return { textOf, failed, guard, say }
}
