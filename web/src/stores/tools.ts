// The tools that agents may be given, with what they can do and where they may be had.
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { api, data } from '@/api/client'
import type { ToolInfo } from '@/api/types'

export const useTools = defineStore('tools', () => {
  const list = shallowRef<ToolInfo[]>([])
  const loading = ref(false)
  const loaded = ref(false)
  const error = ref<unknown>()
  const byName = computed(() => new Map(list.value.map((tool) => [tool.name, tool])))

  let underway: Promise<void> | undefined
  /** Loads the catalogue; those who call meanwhile wait for the same answer. */
  function load(): Promise<void> {
    underway ??= loadAll().finally(() => (underway = undefined))
    return underway
  }

  async function loadAll(): Promise<void> {
    loading.value = true
    try {
      list.value = await data(api.GET('/api/tools'))
      loaded.value = true
      error.value = undefined
    } catch (cause) {
      error.value = cause
    } finally {
      loading.value = false
    }
  }

  return { list, byName, loading, loaded, error, load }
})
