// Whether nobody has chatted here yet. Then a question is already there, and Enter shows what Neta does.
import { computed, watch, type Ref } from 'vue'
import { useI18n } from 'vue-i18n'

interface Listed {
  loaded: boolean
  ids: string[]
}

export function useFirstRun(sessionId: Ref<string | undefined>, sessions: Listed, searching: () => boolean, draft: Ref<string>) {
  const { t } = useI18n()
  const first = computed(() => sessions.loaded && sessions.ids.length === 0 && !searching())
  let offered = ''
  watch(
    [first, sessionId, () => t('chat.start.sample')],
    ([now, id, sample]) => {
      // What a person wrote stays; the question follows the language as long as it is untouched.
      if (now && id === undefined && (draft.value === '' || draft.value === offered)) offered = draft.value = sample
    },
    { immediate: true },
  )
  return first
}
