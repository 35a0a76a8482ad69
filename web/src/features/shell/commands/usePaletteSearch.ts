// What the palette shows for what was typed: commands at once, conversations as the server finds them.
import { refDebounced } from '@vueuse/core'
import { ChatDotRound, Cpu } from '@element-plus/icons-vue'
import { computed, onMounted, ref, shallowRef, watch, type Ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRouter } from 'vue-router'
import { api, data } from '@/api/client'
import type { AgentCard, Session } from '@/api/types'
import { useFormat } from '@/composables/useFormat'
import { useMe } from '@/stores/me'
import { found } from './match'
import { commandSources, type Command } from './useCommands'

export interface CommandGroup {
  name: 'commands' | 'sessions' | 'agents'
  commands: Command[]
}

const SESSIONS = 6
const AGENTS = 6

export function usePaletteSearch(query: Ref<string>) {
  const { t } = useI18n()
  const router = useRouter()
  const format = useFormat()
  const me = useMe()
  const sessions = shallowRef<Session[]>([])
  const agents = shallowRef<AgentCard[]>([])
  const searching = ref(false)
  const asked = refDebounced(query, 150)

  watch(
    asked,
    async (q, _before, onCleanup) => {
      if (!me.may('session:view')) return
      const abort = new AbortController()
      onCleanup(() => abort.abort())
      searching.value = true
      try {
        const page = await data(
          api.GET('/api/sessions', { params: { query: { q: q.trim() || undefined, limit: SESSIONS } }, signal: abort.signal }),
        )
        sessions.value = page.items
      } catch {
        // Without the server the commands are still found; a search that another replaced says nothing.
        if (!abort.signal.aborted) sessions.value = []
      }
      if (!abort.signal.aborted) searching.value = false
    },
    { immediate: true },
  )
  onMounted(async () => {
    if (!me.may('agent:use')) return
    try {
      agents.value = (await data(api.GET('/api/agent-cards', { params: { query: { limit: 200 } } }))).items
    } catch {
      agents.value = []
    }
  })

  const groups = computed<CommandGroup[]>(() => {
    const own = [...commandSources].flatMap((source) => source())
    const talks = sessions.value.map<Command>((session) => ({
      id: `session-${session.id}`,
      label: session.title || t('shell.palette.untitled'),
      hint: format.time(session.updateTime),
      icon: ChatDotRound,
      run: () => router.push({ name: 'chat', params: { session: session.id } }),
    }))
    const known = agents.value.map<Command>((agent) => ({
      id: `agent-${agent.id}`,
      label: agent.name,
      keywords: [agent.description],
      hint: t('shell.palette.talk'),
      icon: Cpu,
      run: () => router.push({ name: 'new-chat', query: { agent: agent.id } }),
    }))
    return [
      { name: 'commands' as const, commands: found(query.value, own) },
      { name: 'sessions' as const, commands: talks },
      { name: 'agents' as const, commands: found(query.value, known).slice(0, AGENTS) },
    ].filter((group) => group.commands.length > 0)
  })
  const options = computed(() => groups.value.flatMap((group) => group.commands))
  return { groups, options, searching }
}
