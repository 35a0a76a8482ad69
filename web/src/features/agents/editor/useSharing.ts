// Who sees an agent: read and said apart from its values, because it is not one of them.
import { computed, ref, shallowRef, watch } from 'vue'
import type { AgentShares } from '@/api/types'
import { useAgents } from '@/stores/agents'

export function useSharing(id: () => number | undefined) {
  const agents = useAgents()
  const stored = shallowRef<AgentShares>()
  const shares = shallowRef<AgentShares>()
  const error = shallowRef<unknown>()
  const saving = ref(false)

  const sorted = (ids: number[] | undefined) => [...(ids ?? [])].sort((a, b) => a - b)
  const text = (value: AgentShares | undefined) =>
    value && JSON.stringify([value.visibility, value.visibility === 'tenant' ? [] : [sorted(value.users), sorted(value.roles)]])
  const dirty = computed(() => text(stored.value) !== text(shares.value))

  async function load(): Promise<void> {
    const agent = id()
    stored.value = shares.value = undefined
    error.value = undefined
    if (agent === undefined) return
    try {
      const found = await agents.shares(agent)
      if (agent === id()) stored.value = shares.value = found
    } catch (cause) {
      error.value = cause
    }
  }
  /** Whether it is as said now. */
  async function save(): Promise<boolean> {
    const agent = id()
    const wanted = shares.value
    if (agent === undefined || !wanted || !dirty.value) return true
    saving.value = true
    error.value = undefined
    try {
      const body = wanted.visibility === 'tenant' ? { visibility: wanted.visibility } : wanted
      stored.value = shares.value = await agents.share(agent, body)
      return true
    } catch (cause) {
      error.value = cause
      return false
    } finally {
      saving.value = false
    }
  }
  watch(id, load, { immediate: true })
  return { shares, stored, dirty, error, saving, load, save, discard: () => (shares.value = stored.value) }
}
