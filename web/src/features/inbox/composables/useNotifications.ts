// Desktop notes of what newly waits. Nobody is asked for permission but by their own click.
import { useStorage } from '@vueuse/core'
import { computed, ref } from 'vue'
import type { Pause } from '@/api/types'

export type NotificationState = 'unsupported' | 'off' | 'on' | 'denied'

const wanted = useStorage('neta.notifications', false)
const supported = typeof Notification !== 'undefined' && window.isSecureContext
const permission = ref(supported ? Notification.permission : 'denied')

const state = computed<NotificationState>(() => {
  if (!supported) return 'unsupported'
  if (permission.value === 'denied') return 'denied'
  return wanted.value && permission.value === 'granted' ? 'on' : 'off'
})

export function useNotifications() {
  async function turnOn(): Promise<void> {
    if (!supported) return
    permission.value = await Notification.requestPermission()
    wanted.value = permission.value === 'granted'
  }
  function turnOff(): void {
    wanted.value = false
  }
  function notify(pause: Pause, title: string, open: () => void): void {
    if (state.value !== 'on') return
    // The tag lets several tabs say it once.
    const note = new Notification(title, { body: pause.question.slice(0, 200), tag: `neta-pause-${pause.pauseId}` })
    note.onclick = () => {
      window.focus()
      open()
      note.close()
    }
  }
  return { state, turnOn, turnOff, notify }
}
