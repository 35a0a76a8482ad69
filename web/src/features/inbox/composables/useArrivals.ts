// How much waits, for the badge and the title, and a note on the desktop when something newly does.
// Called once, by the shell.
import { useDocumentVisibility, useIntervalFn } from '@vueuse/core'
import { storeToRefs } from 'pinia'
import { computed, effectScope, onScopeDispose, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRouter } from 'vue-router'
import { useMe } from '@/stores/me'
import { usePauses } from '@/stores/pauses'
import { useNotifications } from './useNotifications'

/** While nobody looks at the page it asks less often, but it asks: that is when a note is worth most. */
const HIDDEN_EVERY_MS = 30_000

export function useArrivals() {
  const { t } = useI18n()
  const router = useRouter()
  const me = useMe()
  const pauses = usePauses()
  const { open, loaded } = storeToRefs(pauses)
  const visibility = useDocumentVisibility()
  const { notify } = useNotifications()
  const known = new Set<number>()
  let first = true

  const watching = computed(() => me.standing === 'signed-in' && !me.lapsed && me.may('session:view'))
  const scope = effectScope()
  watch(
    watching,
    (now) => {
      if (now && first) scope.run(() => pauses.keepUpToDate())
      if (now) first = false
    },
    { immediate: true },
  )
  onScopeDispose(() => scope.stop())
  useIntervalFn(() => {
    if (watching.value && visibility.value === 'hidden') void pauses.load()
  }, HIDDEN_EVERY_MS)

  let heard = false
  watch(open, (now) => {
    // What already waited when the page was opened is in the badge.
    const news = heard ? now.filter((pause) => !known.has(pause.pauseId)) : []
    now.forEach((pause) => known.add(pause.pauseId))
    heard ||= loaded.value
    for (const pause of news) {
      if (visibility.value === 'visible' && document.hasFocus()) continue
      notify(pause, t('inbox.arrived', { name: pause.agentName || t('inbox.somebody') }), () => void router.push('/inbox'))
    }
  })
  return computed(() => (watching.value ? pauses.count : 0))
}
