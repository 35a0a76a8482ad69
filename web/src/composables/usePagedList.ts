// A list that comes in pages: what is there so far, whether there is more, and what went wrong.
import { computed, ref, shallowRef } from 'vue'

interface Page<T> {
  items: T[]
  nextCursor?: string | null
}

export function usePagedList<T>(fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<T>>) {
  const items = shallowRef<T[]>([])
  const cursor = ref<string | null>()
  const loading = ref(false)
  const error = shallowRef<unknown>()
  const loaded = ref(false)
  let abort: AbortController | undefined

  async function fetchInto(from: string | undefined): Promise<void> {
    abort?.abort()
    const own = (abort = new AbortController())
    loading.value = true
    error.value = undefined
    try {
      const page = await fetchPage(from, own.signal)
      // A later call has taken over: this answer is of the past.
      if (own !== abort) return
      items.value = from === undefined ? page.items : [...items.value, ...page.items]
      cursor.value = page.nextCursor
      loaded.value = true
    } catch (cause) {
      if (own === abort) error.value = cause
    } finally {
      if (own === abort) loading.value = false
    }
  }

  return {
    items,
    loading,
    loaded,
    error,
    hasMore: computed(() => Boolean(cursor.value)),
    load: () => fetchInto(undefined),
    loadMore: () => fetchInto(cursor.value ?? undefined),
  }
}
