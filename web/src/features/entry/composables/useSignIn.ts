// Signing in: what was refused, in words, and how long an account stays locked.
import { computed, ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { Problem, Unreachable } from '@/api/client'
import { serverNow, useClock } from '@/composables/useClock'
import { formatDuration } from '@/composables/useFormat'
import { useMe } from '@/stores/me'

export function useSignIn() {
  const { t, te } = useI18n()
  const me = useMe()
  const { now } = useClock()
  const busy = ref(false)
  const failure = ref<unknown>()
  const lockedUntil = ref(0)
  const locked = computed(() => lockedUntil.value > now.value)

  const message = computed(() => {
    if (locked.value) return t('entry.locked', { time: formatDuration(Math.ceil((lockedUntil.value - now.value) / 1000) * 1000) })
    const error = failure.value
    if (!error || (error instanceof Problem && error.code === 'login_locked')) return undefined
    if (error instanceof Unreachable) return t('problems.unreachable')
    if (error instanceof Problem) return te(`problems.${error.code}`) ? t(`problems.${error.code}`) : error.message
    return t('problems.internal')
  })

  /** Whether one is signed in now. */
  async function signIn(name: string, password: string, tenant?: string): Promise<boolean> {
    if (busy.value || locked.value) return false
    busy.value = true
    failure.value = undefined
    try {
      await me.signIn(name.trim(), password, tenant?.trim())
      return true
    } catch (error) {
      failure.value = error
      if (error instanceof Problem && error.retryAfter) lockedUntil.value = serverNow() + error.retryAfter * 1000
      return false
    } finally {
      busy.value = false
    }
  }

  return { busy, locked, message, signIn }
}
