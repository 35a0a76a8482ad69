// The editor's page: which agent it is, what it needs besides, and where one goes after what was done.
import { computed, ref, shallowRef, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRoute, useRouter } from 'vue-router'
import { Problem } from '@/api/client'
import { useAgents } from '@/stores/agents'
import { useMe } from '@/stores/me'
import { useModels } from '@/stores/models'
import { useTools } from '@/stores/tools'
import { freeName } from '../exchange/importing'
import { useExport } from '../exchange/useExport'
import { permissionsOf } from '../permissions'
import { isTemplate, templateValues } from '../templates'
import type { Found } from '../fields/found'
import { NO_MODEL, draftOf, type Draft } from './draft'
import { useAgentEditor } from './useAgentEditor'
import { useLeaveGuard } from './useLeaveGuard'
import { usePeople } from './usePeople'
import { usePlace } from './usePlace'
import { useSharing } from './useSharing'

const PAGE = 30
const NEW = 'new'

export function useEditorPage(id: () => string) {
  const { t } = useI18n()
  const route = useRoute()
  const router = useRouter()
  const [agents, models, tools, me] = [useAgents(), useModels(), useTools(), useMe()]
  const editor = useAgentEditor()
  const ready = ref(false)
  const error = shallowRef<unknown>()

  /** It is not there, or not for this person: trying again would not help. */
  const missing = computed(() => error.value instanceof Problem && (error.value.status === 404 || error.value.status === 403))

  const fresh = computed(() => !editor.stored.value)
  const readonly = computed(() => !me.may(fresh.value ? 'agent:create' : 'agent:edit'))
  const sharingId = computed(() => (me.may('agent:share') ? editor.stored.value?.id : undefined))
  const sharing = useSharing(() => sharingId.value)
  const people = usePeople()
  const place = usePlace(() => sharingId.value !== undefined)
  const may = computed(() => permissionsOf(me.may, { save: !readonly.value || sharingId.value !== undefined }))
  const changeCount = computed(() => editor.changes.value.length + (sharing.dirty.value ? 1 : 0))
  const guard = useLeaveGuard(() => changeCount.value > 0)
  const { download } = useExport()

  watch(sharing.stored, (shares) => void people.know(shares?.users ?? []))
  watch(
    () => editor.draft.value['subagentConfig.allowedPresetAgentIds'],
    (ids) => void Promise.allSettled((ids ?? []).filter((one) => !agents.byId.has(one)).map((one) => agents.load(one))),
  )

  async function load(): Promise<void> {
    const wanted = id()
    if (ready.value && String(editor.stored.value?.id) === wanted) return
    ready.value = false
    error.value = undefined
    if (me.may('model:view')) void models.load().then(preferModel)
    void tools.load()
    void people.loadRoles()
    try {
      if (wanted === NEW) editor.start(await beginning())
      else if (/^\d+$/.test(wanted)) editor.show(await agents.load(Number(wanted)))
      else throw new Problem(404, 'not_found', '')
      preferModel()
      ready.value = id() === wanted
    } catch (cause) {
      error.value = cause
    }
  }

  /** What a new agent begins with: another one, a template, or nothing. */
  async function beginning(): Promise<Partial<Draft>> {
    const { from, template } = route.query
    if (typeof from === 'string' && /^\d+$/.test(from)) {
      const [original, all] = await Promise.all([agents.load(Number(from)), agents.all()])
      const taken = new Set(all.map(({ name }) => name.toLowerCase()))
      return { ...draftOf(original), name: freeName(original.name, taken) }
    }
    return isTemplate(template) ? templateValues(template, (key) => t(`agents.templates.${template}.${key}`)) : {}
  }
  /** A new agent has a model from the beginning, if there is one. */
  function preferModel(): void {
    const first = models.list[0]
    if (!editor.stored.value && !editor.dirty.value && editor.draft.value.modelId === NO_MODEL && first) {
      editor.start({ ...editor.draft.value, modelId: first.id })
    }
  }

  async function settle(outcome: string): Promise<void> {
    const agent = editor.stored.value
    if (outcome === 'saved' && agent && id() !== String(agent.id)) {
      const { tab, side, pane } = route.query
      await guard.freely(() => router.replace({ name: 'agent', params: { id: agent.id }, query: { tab, side, pane } }))
    }
  }
  async function save(): Promise<void> {
    if (editor.canSave.value) {
      const outcome = await editor.save()
      if (outcome !== 'saved') return
      await settle(outcome)
    }
    await sharing.save()
  }
  function discard(): void {
    editor.discard()
    sharing.discard()
  }
  const leave = () => guard.freely(() => router.push('/agents'))
  const findAgents = async (q: string, cursor: string | undefined, signal: AbortSignal): Promise<Found> => {
    const page = await agents.page({ q: q || undefined, cursor, limit: PAGE }, signal)
    return { ...page, items: page.items.map(({ id: one, name, description, icon }) => ({ id: one, name, note: description, icon })) }
  }

  return {
    editor, sharing, people: people.people, place, guard, may, ready, error, missing, fresh, readonly, sharingId, changeCount, models, tools,
    mayKeepModels: computed(() => me.may('model:create')),
    modelName: (one: number) => models.byId.get(one)?.name,
    agentName: (one: number) => agents.byId.get(one)?.name,
    load, save, discard, leave, findAgents,
    overwrite: async () => settle(await editor.overwrite()),
    download: () => editor.stored.value && download([editor.stored.value]),
  }
}

export type EditorPage = ReturnType<typeof useEditorPage>
