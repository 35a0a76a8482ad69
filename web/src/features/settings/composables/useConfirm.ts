// Asks before something that can't be undone, and says when it failed all the same.
import { ElMessage } from 'element-plus/es/components/message/index'
import { ElMessageBox } from 'element-plus/es/components/message-box/index'
import 'element-plus/es/components/message/style/css'
import 'element-plus/es/components/message-box/style/css'
import { useI18n } from 'vue-i18n'
import { useProblemText } from '@/composables/useProblemText'

export interface Question {
  title: string
  /** What happens, by name. */
  text: string
  yes: string
}

export function useConfirm() {
  const { t } = useI18n()
  const problemText = useProblemText()

  /** Does it if the answer is yes. Whether it was done. */
  async function confirmed(question: Question, act: () => Promise<unknown>): Promise<boolean> {
    try {
      await ElMessageBox.confirm(question.text, question.title, {
        confirmButtonText: question.yes,
        cancelButtonText: t('actions.cancel'),
        confirmButtonType: 'danger',
        autofocus: false,
      })
    } catch {
      return false
    }
    return attempt(act)
  }

  /** Does it; a refusal is told in a note. Whether it was done. */
  async function attempt(act: () => Promise<unknown>, done?: string): Promise<boolean> {
    try {
      await act()
      if (done) ElMessage({ message: done, type: 'success', grouping: true })
      return true
    } catch (error) {
      ElMessage({ message: problemText(error), type: 'error', grouping: true, duration: 6000 })
      return false
    }
  }
  return { confirmed, attempt }
}
