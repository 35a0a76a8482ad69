// A conversation with what is on the form: a session of its own, told of each change before the next
// message, and removed when one leaves.
import { computed, onScopeDispose, ref, shallowRef } from 'vue'
import { useAgents } from '@/stores/agents'
import { useTurns } from '@/stores/turns'
import { specOf, type Draft } from './draft'

export function useTryOut(draft: () => Draft, agentId: () => number | undefined) {
  const agents = useAgents()
  const turns = useTurns()
  const sessionId = ref<string>()
  /** What is being written. */
  const text = ref('')
  const beginning = ref(false)
  const error = shallowRef<unknown>()
  /** The values that the session runs with. */
  let told = ''
  const now = computed(() => JSON.stringify(specOf(draft())))
  const known = ref('')
  /** The form changed since the last message. */
  const changed = computed(() => sessionId.value !== undefined && known.value !== now.value)

  /** Has the session at hand, with the values that are on the form now. Whether it is. */
  async function ready(): Promise<boolean> {
    beginning.value = true
    error.value = undefined
    const values = now.value
    try {
      if (!sessionId.value) sessionId.value = await agents.tryOut(specOf(draft()), agentId())
      else if (values !== told) await agents.changeTryOut(sessionId.value, specOf(draft()))
      told = known.value = values
      return true
    } catch (cause) {
      error.value = cause
      return false
    } finally {
      beginning.value = false
    }
  }
  async function send(): Promise<void> {
    const content = text.value
    if (!(await ready()) || !sessionId.value) return
    turns.send({ sessionId: sessionId.value, content })
    text.value = ''
  }
  /** Ends the conversation; the next message begins another. */
  function end(): void {
    const id = sessionId.value
    sessionId.value = undefined
    error.value = undefined
    // It ends by itself after a day where this fails.
    if (id) void agents.endTryOut(id).catch(() => undefined)
  }
  onScopeDispose(end)
  return { sessionId, text, beginning, error, changed, ready, send, end }
}

export type TryOut = ReturnType<typeof useTryOut>
