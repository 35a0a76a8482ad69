// Export of a session, from the list and from the header.
import { ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { useFormat } from '@/composables/useFormat'
import { fileName, saveText } from './download'
import { toMarkdown, type ExportWords } from './markdown'
import { fetchSession } from './session'

export type ExportFormat = 'markdown' | 'json'

const STATES = new Set(['queued', 'running', 'completed', 'failed', 'cancelled'])

export function useExport() {
  const { t } = useI18n()
  const format = useFormat()
  const exporting = ref<string>()

  function words(): ExportWords {
    const word = (key: string) => t(`chat.export.${key}`)
    return {
      user: word('user'),
      assistant: word('assistant'),
      thinking: word('thinking'),
      plan: word('plan'),
      tools: word('tools'),
      subagents: word('subagents'),
      goal: word('goal'),
      arguments: word('arguments'),
      result: word('result'),
      error: word('error'),
      exported: t('chat.export.exported', { time: format.exactTime(new Date().toISOString()) }),
      status: (status) => {
        if (status === 'ok') return t('states.completed')
        if (status === 'timed_out' || status === 'error') return t('states.failed')
        return STATES.has(status) ? t(`states.${status}`) : status
      },
      time: format.exactTime,
    }
  }

  /** Fetches everything and saves it; throws what the requests throw. */
  async function run(sessionId: string, as: ExportFormat): Promise<void> {
    exporting.value = sessionId
    try {
      const whole = await fetchSession(sessionId)
      const title = whole.session.title || t('chat.untitled')
      if (as === 'json') saveText(JSON.stringify(whole, null, 2), fileName(title, 'json'), 'application/json')
      else saveText(toMarkdown(title, whole.messages, words()), fileName(title, 'md'), 'text/markdown')
    } finally {
      exporting.value = undefined
    }
  }

  return { exporting, run }
}
