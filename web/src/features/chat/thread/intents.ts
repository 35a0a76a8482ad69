// What a turn on the page may ask for. Provided by the page, so that the thread's parts need not hand
// each of them on.
import { inject, provide, type InjectionKey } from 'vue'
import type { Turn } from '@/stores/turn'

export interface TurnIntents {
  stop: (turn: Turn) => void
  stopSubagent: (turn: Turn, subagentId: number) => void
  retry: (turn: Turn) => void
  resend: (turn: Turn, content: string) => void
  discard: (turn: Turn) => void
  goOn: (turn: Turn) => void
  answer: (pauseId: number, text: string) => void
  openSubagent: (subagentId: number) => void
  openTool: (turn: Turn, toolCallId: string) => void
  quote: (text: string) => void
  isStopping: (messageId: number) => boolean
}

const KEY: InjectionKey<TurnIntents> = Symbol('turn intents')

export function provideIntents(intents: TurnIntents): void {
  provide(KEY, intents)
}

export function useIntents(): TurnIntents {
  const intents = inject(KEY)
  if (!intents) throw new Error('no page provides what turns ask for')
  return intents
}
