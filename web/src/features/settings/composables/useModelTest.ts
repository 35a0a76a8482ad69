// Trying a model: one short request, and in words what came of it and what to do.
import { computed, ref, shallowRef } from 'vue'
import { useI18n } from 'vue-i18n'
import type { ModelProbe } from '@/api/types'
import { formatDuration } from '@/composables/useFormat'
import { useProblemText } from '@/composables/useProblemText'

export function useModelTest() {
  const { t, te } = useI18n()
  const problemText = useProblemText()
  const testing = ref(false)
  const probe = shallowRef<ModelProbe>()
  const refusal = shallowRef<unknown>()
  let latest = 0

  async function run(request: () => Promise<ModelProbe>): Promise<boolean> {
    const own = (latest += 1)
    testing.value = true
    probe.value = refusal.value = undefined
    try {
      const answer = await request()
      if (own === latest) probe.value = answer
    } catch (error) {
      if (own === latest) refusal.value = error
    }
    if (own === latest) testing.value = false
    return own === latest && probe.value?.ok === true
  }
  /** What was tried is no longer what the form holds. */
  function forget(): void {
    latest += 1
    testing.value = false
    probe.value = refusal.value = undefined
  }

  const result = computed(() => {
    if (refusal.value) return { ok: false, title: t('settings.models.testFailed'), text: problemText(refusal.value) }
    if (!probe.value) return undefined
    const { ok, reason, message, latencyMs } = probe.value
    if (ok) return { ok, title: t('settings.models.testOk', { time: formatDuration(latencyMs) }), text: message }
    const advice = `settings.models.advice.${reason ?? ''}`
    return { ok, title: t('settings.models.testFailed'), text: reason && te(advice) ? t(advice) : message, detail: message }
  })
  return { testing, result, run, forget }
}
