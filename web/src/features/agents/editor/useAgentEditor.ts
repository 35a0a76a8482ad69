// The state of the editor: what is stored, what is on the form, what is wrong with it, and saving.
import { computed, ref, shallowRef } from 'vue'
import { Problem } from '@/api/client'
import type { Agent, AgentSpec } from '@/api/types'
import { useAgents } from '@/stores/agents'
import { merge, type Side } from './conflict'
import { EMPTY, changedFields, draftOf, patchOf, specOf, type Draft, type Field } from './draft'
import { errorsOf, serverErrors, type FieldErrors } from './problems'

export type Outcome = 'saved' | 'refused' | 'conflict' | 'failed'

export function useAgentEditor() {
  const agents = useAgents()
  const stored = shallowRef<Agent>()
  /** What the form began with: the stored values, or a template's. */
  const base = shallowRef<Draft>(EMPTY)
  const draft = shallowRef<Draft>(EMPTY)
  const touched = ref(new Set<Field>())
  const refused = shallowRef<FieldErrors>({})
  const saving = ref(false)
  /** Why saving failed, where no field is to blame. */
  const failure = shallowRef<unknown>()
  /** The agent as somebody else saved it meanwhile. */
  const theirs = shallowRef<Agent>()
  /** Somebody deleted it meanwhile. */
  const gone = ref(false)

  const changes = computed(() => changedFields(base.value, draft.value))
  const dirty = computed(() => changes.value.length > 0)
  const errors = computed<FieldErrors>(() => ({ ...refused.value, ...errorsOf(draft.value) }))
  /** Errors of fields that nobody has been at yet are not shown. */
  const shownErrors = computed<FieldErrors>(() =>
    Object.fromEntries(Object.entries(errors.value).filter(([field]) => touched.value.has(field as Field) || field in refused.value)),
  )
  const canSave = computed(() => !saving.value && Object.keys(errors.value).length === 0 && (dirty.value || !stored.value))

  function calm(): void {
    touched.value = new Set()
    refused.value = {}
    failure.value = undefined
    gone.value = false
    theirs.value = undefined
  }
  function show(agent: Agent): void {
    stored.value = agent
    base.value = draftOf(agent)
    draft.value = draftOf(agent)
    calm()
  }
  /** A new agent. `given` is there from the beginning and no change of a person. */
  function start(given: Partial<AgentSpec> | Partial<Draft> = {}, flat = true): void {
    stored.value = undefined
    base.value = flat ? { ...draftOf({}), ...(given as Partial<Draft>) } : draftOf(given as Partial<AgentSpec>)
    draft.value = base.value
    calm()
  }
  function set(change: Partial<Draft>): void {
    draft.value = { ...draft.value, ...change }
    const fields = Object.keys(change) as Field[]
    fields.forEach((field) => touched.value.add(field))
    refused.value = Object.fromEntries(Object.entries(refused.value).filter(([field]) => !fields.includes(field as Field)))
  }
  function discard(): void {
    draft.value = base.value
    calm()
  }
  /** From now on all errors are shown. */
  function showErrors(): void {
    ;(Object.keys(errors.value) as Field[]).forEach((field) => touched.value.add(field))
  }

  async function save(): Promise<Outcome> {
    if (Object.keys(errors.value).length > 0) {
      showErrors()
      return 'refused'
    }
    saving.value = true
    failure.value = undefined
    try {
      const sent = draft.value
      const saved = await send()
      // What was typed meanwhile is a change upon what is stored now.
      const since = changedFields(sent, draft.value)
      const typed = draft.value
      show(saved)
      if (since.length > 0) set(Object.fromEntries(since.map((field) => [field, typed[field]])))
      return 'saved'
    } catch (error) {
      return await explain(error)
    } finally {
      saving.value = false
    }
  }
  function send(): Promise<Agent> {
    const agent = stored.value
    if (!agent || gone.value) return agents.create(specOf(draft.value))
    return agents.update(agent.id, agent.version, patchOf(base.value, draft.value))
  }
  async function explain(error: unknown): Promise<Outcome> {
    if (error instanceof Problem) {
      const agent = stored.value
      if (error.code === 'version_conflict' && agent) {
        theirs.value = error.body?.current ?? (await agents.load(agent.id).catch(() => undefined))
        if (theirs.value) return 'conflict'
      }
      if (error.status === 404 && agent) gone.value = true
      if (error.status === 409 && error.code === 'conflict') {
        refused.value = { ...refused.value, name: { key: 'nameTaken' } }
        return 'refused'
      }
      const said = serverErrors(error)
      refused.value = { ...refused.value, ...said.errors }
      if (Object.keys(said.errors).length > 0 && said.rest.length === 0) return 'refused'
      failure.value = said.rest.length > 0 ? said.rest.join('\n') : error
      return 'failed'
    }
    failure.value = error
    return 'failed'
  }

  /** Their values; mine are dropped. */
  function takeTheirs(): void {
    if (theirs.value) show(theirs.value)
  }
  /** Goes on editing upon their values, with both persons' changes. */
  function keepEditing(sides: Partial<Record<Field, Side>> = {}): void {
    const current = theirs.value
    if (!current) return
    const merged = merge(base.value, draft.value, draftOf(current), sides)
    show(current)
    set(merged)
    touched.value = new Set(changes.value)
  }
  /** All my values in place of theirs. */
  async function overwrite(): Promise<Outcome> {
    const current = theirs.value
    if (!current) return 'failed'
    stored.value = current
    base.value = draftOf(current)
    theirs.value = undefined
    return save()
  }

  return {
    stored, base, draft, changes, dirty, errors, shownErrors, canSave, saving, failure, theirs, gone,
    show, start, set, discard, showErrors, save, takeTheirs, keepEditing, overwrite,
  }
}

export type AgentEditor = ReturnType<typeof useAgentEditor>
