// Whether the session list is shown: beside the thread as the person left it, on phones as a sheet
// that goes away when a session was chosen.
import { useStorage } from '@vueuse/core'
import { computed, ref, watch, type Ref } from 'vue'
import { usePhone } from '@/features/shell/composables/usePhone'

const kept = useStorage('neta.sessionList', true)

export function useListPane(sessionId: Ref<string | undefined>) {
  const modal = usePhone()
  const sheet = ref(false)
  const shown = computed(() => (modal.value ? sheet.value : kept.value))
  watch([sessionId, modal], () => (sheet.value = false))
  function close(): void {
    sheet.value = false
  }
  function toggle(): void {
    if (modal.value) sheet.value = !sheet.value
    else kept.value = !kept.value
  }
  return { modal, shown, close, toggle }
}
