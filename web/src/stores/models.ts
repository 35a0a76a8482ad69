// The models that agents use: providers' endpoints, their limits and prices.
import { defineStore } from 'pinia'
import { computed, ref, shallowReactive } from 'vue'
import { Problem, api, data } from '@/api/client'
import type { Model, ModelInput, ModelProbe } from '@/api/types'

const PAGE = 200

/** A change of a stored model: what is left out stays, null takes a value away. */
export type ModelPatch = { [K in keyof ModelInput]?: ModelInput[K] | null }

export const useModels = defineStore('models', () => {
  const byId = shallowReactive(new Map<number, Model>())
  const loading = ref(false)
  const loaded = ref(false)
  const error = ref<unknown>()
  /** Oldest first, as the server lists them. */
  const list = computed(() => [...byId.values()].sort((a, b) => a.id - b.id))

  let underway: Promise<void> | undefined
  /** Loads all of them; those who call meanwhile wait for the same answer. */
  function load(): Promise<void> {
    underway ??= loadAll().finally(() => (underway = undefined))
    return underway
  }

  async function loadAll(): Promise<void> {
    loading.value = true
    try {
      const found: Model[] = []
      let cursor: string | undefined
      do {
        const page = await data(api.GET('/api/models', { params: { query: { limit: PAGE, cursor } } }))
        found.push(...page.items)
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      byId.clear()
      for (const model of found) byId.set(model.id, model)
      loaded.value = true
      error.value = undefined
    } catch (cause) {
      error.value = cause
    } finally {
      loading.value = false
    }
  }

  async function create(body: ModelInput): Promise<Model> {
    const model = await data(api.POST('/api/models', { body }))
    byId.set(model.id, model)
    return model
  }

  async function update(id: number, patch: ModelPatch): Promise<Model> {
    const body = patch as Record<string, never>
    const model = await data(api.PATCH('/api/models/{id}', { params: { path: { id } }, body }))
    byId.set(id, model)
    return model
  }

  async function remove(id: number): Promise<void> {
    try {
      await data(api.DELETE('/api/models/{id}', { params: { path: { id } } }))
    } catch (cause) {
      // Somebody else was faster: it is gone, which is what was wanted.
      if (!(cause instanceof Problem) || cause.status !== 404) throw cause
    }
    byId.delete(id)
  }

  /** One short request to a stored model. */
  function test(id: number): Promise<ModelProbe> {
    return data(api.POST('/api/models/{id}/test', { params: { path: { id } } }))
  }

  return { byId, list, loading, loaded, error, load, create, update, remove, test }
})
