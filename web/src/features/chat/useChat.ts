// One chat as the page shows it: its turns, those that wait, and what is done to them.
import { computed, onScopeDispose, ref, watch, type Ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { api, data } from '@/api/client'
import type { SessionDetail } from '@/api/types'
import { useConnection } from '@/stores/connection'
import { useSessions } from '@/stores/sessions'
import { useTurns } from '@/stores/turns'
import type { OutgoingMessage, Turn } from '@/stores/turn'
import { runningSubagents } from './thread/activity'
import { liveTurn, splitQueue } from './thread/rows'
import { useNotice } from './useNotice'
import { pressOnce } from './pressOnce'


export function useChat(sessionId: Ref<string | undefined>) {
  const { t } = useI18n()
  const store = useTurns()
  const sessions = useSessions()
  const connection = useConnection()
  const notice = useNotice()

  const thread = computed(() => (sessionId.value ? store.thread(sessionId.value) : undefined))
  const split = computed(() => splitQueue(thread.value?.turns ?? []))
  const live = computed(() => liveTurn(thread.value?.turns ?? []))
  const firstRunning = computed(() => live.value?.subagents.flatMap((batch) => batch.items).find((item) => item.status === 'running')?.id)
  const running = computed(() => runningSubagents(thread.value?.turns ?? []))
  const outgoing = computed(() => (sessionId.value ? store.outgoing(sessionId.value) : []))
  const offline = computed(() => connection.state === 'reconnecting' || connection.state === 'offline')
  /** Why sending is of no use at the moment. */
  const problem = computed(() => {
    const code = outgoing.value.find((message) => message.problem)?.problem?.code
    if (code === 'quota_exceeded') return t('problems.quota_exceeded')
    return offline.value ? t('chat.composer.offline') : undefined
  })
  /** Behind a live turn they are chips; refused ones stay in the thread, with their reason. */
  const asChip = (message: OutgoingMessage) => live.value !== undefined && !message.problem && message.replaces === undefined
  const chips = computed(() => outgoing.value.filter(asChip))
  const bubbles = computed(() => outgoing.value.filter((message) => !asChip(message)))

  watch(
    sessionId,
    (id, before) => {
      if (before) store.close(before)
      if (id) store.open(id)
    },
    { immediate: true },
  )
  onScopeDispose(() => sessionId.value && store.close(sessionId.value))

  const detail = ref<SessionDetail>()
  async function loadDetail(): Promise<void> {
    const id = sessionId.value
    if (!id) return
    try {
      const found = await data(api.GET('/api/sessions/{id}', { params: { path: { id } } }))
      // Also one that is not in the list, as an old one that a link led to.
      sessions.byId.set(id, { ...sessions.byId.get(id), ...found })
      if (sessionId.value === id) detail.value = found
    } catch {
      // The head does without.
    }
  }
  // What was used is known when a turn ended.
  const ended = computed(() => thread.value?.turns.filter((turn) => turn.ended).length ?? 0)
  watch([sessionId, ended], ([id], [before]) => {
    if (id !== before) detail.value = undefined
    if (ended.value > 0) void loadDetail()
  })
  if (sessionId.value) void loadDetail()

  const counts = pressOnce()
  /** Its replacement waits to be sent, as long as the server is away. */
  const isReplaced = (turn: Turn) =>
    store.outgoing(turn.sessionId).some((message) => !message.problem && message.replaces !== undefined && message.replaces === turn.user?.id)
  function retry(turn: Turn): void {
    if (!turn.user || isReplaced(turn) || !counts(turn.messageId)) return
    store.send({ sessionId: turn.sessionId, content: turn.user.content, replaces: turn.user.id })
  }
  function resend(turn: Turn, content: string): void {
    store.send({ sessionId: turn.sessionId, content, replaces: turn.user?.id ?? turn.messageId })
  }
  function goOn(turn: Turn): void {
    if (!counts(turn.messageId)) return
    store.send({ sessionId: turn.sessionId, content: t('chat.continueText') })
  }
  const discard = async (turn: Turn) => {
    if (counts(turn.messageId)) await notice.guard(() => store.removeTurn(turn.sessionId, turn.messageId))
  }
  const stop = (turn: Turn, subagentId?: number) => notice.guard(() => store.stop(turn.messageId, subagentId))
  async function answer(pauseId: number, text: string): Promise<void> {
    await notice.guard(async () => {
      const outcome = await store.answer(pauseId, text)
      if (outcome.kind !== 'answered') notice.say(t(`chat.answer.${outcome.kind}`))
    })
  }
  const stopSubagent = (id: number) => notice.guard(() => store.stop(live.value?.messageId ?? 0, id))
  const editQueued = (turn: Turn, content: string) =>
    notice.guard(() => store.editQueued(turn.sessionId, turn.user?.id ?? turn.messageId, content))
  const loadEarlier = () => (sessionId.value ? store.loadEarlier(sessionId.value) : Promise.resolve())
  const reopen = () => {
    if (!sessionId.value) return
    store.close(sessionId.value)
    store.open(sessionId.value)
  }

  return {
    store, thread, split, live, running, firstRunning, problem, bubbles, chips, offline, detail,
    retry, resend, goOn, discard, stop, stopSubagent, answer, editQueued, loadEarlier, reopen,
  }
}
