// Whether Enter sends and Shift+Enter makes a line, or Enter makes a line and Ctrl/⌘+Enter sends: the
// person's choice, kept in this browser.
import { useStorage } from '@vueuse/core'

export const SEND_KEYS = ['enter', 'mod'] as const
export type SendKey = (typeof SEND_KEYS)[number]

const sendKey = useStorage<SendKey>('neta.sendKey', 'enter')

export function useSendKey() {
  return sendKey
}
