// The model of the first run: stored and tried, then given to the agents that have the demo's.
import { reactive, ref, watch } from 'vue'
import type { Model } from '@/api/types'
import { useModelTest } from '@/features/settings/composables/useModelTest'
import { formOf, inputOf, patchOf } from '@/features/settings/modelForm'
import { useAgents } from '@/stores/agents'
import { useModels } from '@/stores/models'

export function useSetupModel() {
  const models = useModels()
  const agents = useAgents()
  const form = reactive(formOf())
  const stored = ref<Model>()
  const works = ref(false)
  const { testing, result, run, forget } = useModelTest()
  watch(form, () => {
    works.value = false
    forget()
  })

  async function test(): Promise<void> {
    works.value = await run(async () => {
      const before = stored.value
      const model = before ? await models.update(before.id, patchOf(before, form)) : await models.create(inputOf(form))
      stored.value = model
      return models.test(model.id)
    })
  }
  /** From now on the agents that came with Neta answer with it. */
  async function adopt(): Promise<void> {
    const model = stored.value
    if (!model) return
    await models.load()
    for (const agent of await agents.all()) {
      if (models.byId.get(agent.modelId)?.provider === 'demo') await agents.update(agent.id, agent.version, { modelId: model.id })
    }
  }
  /** The demo was chosen after all: what was only tried is not kept. */
  async function drop(): Promise<void> {
    if (stored.value) await models.remove(stored.value.id)
    stored.value = undefined
  }
  return { form, works, testing, result, test, adopt, drop }
}
