// The work of an import: what there is here, what the file has, and making it.
import { ref, shallowRef } from 'vue'
import { useI18n } from 'vue-i18n'
import { Problem } from '@/api/client'
import type { Agent } from '@/api/types'
import { useAgents } from '@/stores/agents'
import { useModels } from '@/stores/models'
import { useTools } from '@/stores/tools'
import { isReady, presetIds, read as readFile, renamed, withModel, type Candidate, type Known, type Unreadable } from './importing'

export function useImport() {
  const { t } = useI18n()
  const [agents, models, tools] = [useAgents(), useModels(), useTools()]
  const known = shallowRef<Known>()
  const candidates = shallowRef<Candidate[]>([])
  const chosen = shallowRef<ReadonlySet<number>>(new Set())
  const unreadable = ref<Unreadable>()
  /** By the place in the file: why it was not made. */
  const failed = shallowRef<ReadonlyMap<number, string>>(new Map())
  const working = ref(false)
  const error = shallowRef<unknown>()
  let text: string | undefined

  async function prepare(): Promise<void> {
    error.value = undefined
    try {
      const [all] = await Promise.all([agents.all(), models.load(), tools.load()])
      if (models.error ?? tools.error) throw models.error ?? tools.error
      known.value = { models: models.list, tools: tools.list.map(({ name }) => name), agents: all }
      if (text !== undefined) read(text)
    } catch (cause) {
      error.value = cause
    }
  }
  function read(json: string): void {
    text = json
    if (!known.value) return
    const reading = readFile(json, known.value)
    unreadable.value = reading.ok ? undefined : reading.why
    candidates.value = reading.ok ? reading.candidates : []
    chosen.value = new Set(candidates.value.keys())
    failed.value = new Map()
  }
  function choose(n: number, on: boolean): void {
    const next = new Set(chosen.value)
    if (on) next.add(n)
    else next.delete(n)
    chosen.value = next
  }
  const change = (n: number, to: (one: Candidate) => Candidate) => (candidates.value = candidates.value.map((one, at) => (at === n ? to(one) : one)))

  /** Makes the chosen ones; those that could not be made stay with their reason. Whether all were. */
  async function create(): Promise<boolean> {
    working.value = true
    const ids = new Map(known.value?.agents.map(({ id, name }) => [name.toLowerCase(), id]))
    const made = new Map<number, Agent>()
    const why = new Map<number, string>()
    for (const [n, one] of candidates.value.entries()) {
      if (!chosen.value.has(n) || !isReady(one)) continue
      try {
        const agent = await agents.create(withoutCalls(one))
        made.set(n, agent)
        ids.set(one.original.toLowerCase(), agent.id)
      } catch (cause) {
        why.set(n, wordsOf(cause))
      }
    }
    for (const [n, agent] of made) await allowCalls(candidates.value[n], agent, ids).catch((cause: unknown) => why.set(n, wordsOf(cause)))
    const rest = [...candidates.value.keys()].filter((n) => !made.has(n) || why.has(n))
    failed.value = new Map(rest.flatMap((n, at) => (why.has(n) ? [[at, why.get(n) ?? '']] : [])))
    candidates.value = rest.flatMap((n) => candidates.value[n] ?? [])
    chosen.value = new Set()
    working.value = false
    return why.size === 0
  }
  /** Those that it may call may come later in the file: until they are there it calls nobody. */
  function withoutCalls({ spec, presets }: Candidate) {
    if (presets === null || !spec.subagentConfig) return spec
    return { ...spec, subagentConfig: { ...spec.subagentConfig, allowedPresetAgentIds: [] } }
  }
  async function allowCalls(one: Candidate | undefined, agent: Agent, ids: ReadonlyMap<string, number>): Promise<void> {
    const allowed = one && presetIds(one, ids)
    const config = agent.subagentConfig
    if (!allowed?.length || !config) return
    await agents.update(agent.id, agent.version, { subagentConfig: { ...config, allowedPresetAgentIds: allowed } })
  }
  function wordsOf(cause: unknown): string {
    if (cause instanceof Problem) return cause.status === 409 ? t('agents.problems.nameTaken') : cause.message
    return t('problems.unreachable')
  }

  return {
    candidates, chosen, unreadable, failed, working, error, prepare, read, choose, create,
    useModel: (n: number, id: number) => change(n, (one) => withModel(one, id)),
    rename: (n: number, name: string) => change(n, (one) => renamed(one, name)),
  }
}
