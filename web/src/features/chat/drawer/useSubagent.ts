// One subagent: loaded, and while it works followed by its own stream.
import { useIntervalFn } from '@vueuse/core'
import { computed, onBeforeUnmount, ref, shallowRef, watch } from 'vue'
import { api, data } from '@/api/client'
import { isTransient } from '@/api/problem'
import type { SubagentDetail } from '@/api/types'
import { useTurns } from '@/stores/turns'

/** For what its stream does not tell, as its tokens. */
const EVERY_MS = 4_000

export function useSubagent(subagentId: () => number) {
  const turns = useTurns()
  const detail = shallowRef<SubagentDetail>()
  const problem = shallowRef<unknown>()
  const loading = ref(false)
  let watched: string | undefined

  const isLive = computed(() => detail.value?.status === 'queued' || detail.value?.status === 'running')
  const stream = computed(() => (isLive.value ? turns.subagentLive(subagentId()) : undefined))
  /** As the turn's card has it, which is told of every change at once. */
  const statusInTurn = computed(() => {
    const known = detail.value
    if (!known) return undefined
    const turn = turns.thread(known.sessionId).turns.find(({ messageId }) => messageId === known.parentMessageId)
    return turn?.subagents.flatMap(({ items }) => items).find(({ id }) => id === known.id)?.status
  })

  function follow(sessionId: string | undefined): void {
    if (watched === sessionId) return
    if (watched !== undefined) turns.watchSubagents(watched, false)
    if (sessionId !== undefined) turns.watchSubagents(sessionId, true)
    watched = sessionId
  }

  async function load(): Promise<void> {
    const id = subagentId()
    loading.value = true
    try {
      const loaded = await data(api.GET('/api/subagents/{id}', { params: { path: { id } } }))
      if (id !== subagentId()) return
      detail.value = loaded
      problem.value = undefined
    } catch (cause) {
      // What is shown stays while the server is away.
      if (id === subagentId() && !(detail.value && isTransient(cause))) problem.value = cause
    } finally {
      if (id === subagentId()) loading.value = false
    }
  }

  watch(
    subagentId,
    () => {
      detail.value = problem.value = undefined
      void load()
    },
    { immediate: true },
  )
  watch([isLive, detail], () => follow(isLive.value ? detail.value?.sessionId : undefined))
  watch(statusInTurn, (now, before) => {
    if (before !== undefined && now !== detail.value?.status) void load()
  })
  useIntervalFn(() => {
    if (isLive.value && document.visibilityState !== 'hidden') void load()
  }, EVERY_MS)
  onBeforeUnmount(() => follow(undefined))

  return { detail, isLive, stream, loading, problem, load }
}
