// The list of sessions: the last used first, found by a part of the title, kept up to date while
// somebody looks.
import { useDocumentVisibility, useIntervalFn } from '@vueuse/core'
import { defineStore } from 'pinia'
import { computed, ref, shallowReactive, watch } from 'vue'
import { Problem, api, data } from '@/api/client'
import { useLiveChannel } from '@/api/live'
import type { Session, SessionContents } from '@/api/types'

const PAGE = 50
const EVERY_MS = 10_000
/** After an event of its turns a session's line is asked for, once for all that come together. */
const SOON_MS = 400

export const useSessions = defineStore('sessions', () => {
  const byId = shallowReactive(new Map<string, Session>())
  /** What is listed. */
  const listed = shallowReactive(new Set<string>())
  const query = ref('')
  const nextCursor = ref<string>()
  const loading = ref(false)
  const loaded = ref(false)
  const error = ref<unknown>()
  let generation = 0

  const ids = computed(() =>
    [...listed]
      .flatMap((id) => byId.get(id) ?? [])
      .sort((a, b) => (a.updateTime === b.updateTime ? (a.id < b.id ? 1 : -1) : a.updateTime < b.updateTime ? 1 : -1))
      .map(({ id }) => id),
  )
  const pinnedIds = computed(() => ids.value.filter((id) => byId.get(id)?.pinned))
  const hasMore = computed(() => nextCursor.value !== undefined)

  async function page(cursor: string | undefined) {
    const search = { q: query.value || undefined, limit: PAGE, cursor }
    return data(api.GET('/api/sessions', { params: { query: search } }))
  }

  /** Lists from the beginning, those with `q` in their title. */
  async function load({ q = '' }: { q?: string } = {}): Promise<void> {
    query.value = q.trim()
    const mine = ++generation
    loading.value = true
    try {
      const { items, nextCursor: next } = await page(undefined)
      if (mine !== generation) return
      items.forEach((session) => byId.set(session.id, session))
      listed.clear()
      items.forEach(({ id }) => listed.add(id))
      nextCursor.value = next ?? undefined
      loaded.value = true
      error.value = undefined
    } catch (cause) {
      if (mine === generation) error.value = cause
    } finally {
      if (mine === generation) loading.value = false
    }
  }

  async function loadMore(): Promise<void> {
    if (nextCursor.value === undefined || loading.value) return
    const mine = generation
    loading.value = true
    try {
      const { items, nextCursor: next } = await page(nextCursor.value)
      if (mine !== generation) return
      items.forEach((session) => {
        byId.set(session.id, session)
        listed.add(session.id)
      })
      nextCursor.value = next ?? undefined
    } finally {
      if (mine === generation) loading.value = false
    }
  }

  /** Takes in the first page as it is now, and leaves what was loaded beyond it. */
  async function refresh(): Promise<void> {
    const mine = generation
    try {
      const { items, nextCursor: next } = await page(undefined)
      if (mine !== generation) return
      const oldest = next ? items.at(-1)?.updateTime : undefined
      const found = new Set(items.map(({ id }) => id))
      for (const id of listed) {
        const known = byId.get(id)
        // Older than the page, it may be beyond it; else it is gone, or is found no more.
        if (!found.has(id) && !(oldest && known && known.updateTime <= oldest)) listed.delete(id)
      }
      items.forEach((session) => {
        byId.set(session.id, session)
        listed.add(session.id)
      })
      if (nextCursor.value === undefined && listed.size === items.length) nextCursor.value = next ?? undefined
      error.value = undefined
    } catch (cause) {
      if (!loaded.value) error.value = cause
    }
  }

  /** One session, listed or not. Undefined: there is none such. */
  async function find(id: string): Promise<Session | undefined> {
    try {
      const session = await data(api.GET('/api/sessions/{id}', { params: { path: { id } } }))
      byId.set(id, session)
      return session
    } catch (cause) {
      if (!(cause instanceof Problem) || cause.status !== 404) throw cause
      forget(id)
      return undefined
    }
  }

  function forget(id: string): void {
    byId.delete(id)
    listed.delete(id)
  }

  async function patch(id: string, body: { title?: string; pinned?: boolean }): Promise<void> {
    const changed = await data(api.PATCH('/api/sessions/{id}', { params: { path: { id } }, body }))
    byId.set(id, { ...byId.get(id), ...changed })
  }

  function rename(id: string, title: string): Promise<void> {
    return patch(id, { title })
  }

  function pin(id: string, pinned: boolean): Promise<void> {
    return patch(id, { pinned })
  }

  async function remove(id: string): Promise<void> {
    try {
      await data(api.DELETE('/api/sessions/{id}', { params: { path: { id } } }))
    } catch (cause) {
      if (!(cause instanceof Problem) || cause.status !== 404) throw cause
    }
    forget(id)
  }

  /** What deleting it removes. */
  function contents(id: string): Promise<SessionContents> {
    return data(api.GET('/api/sessions/{id}/contents', { params: { path: { id } } }))
  }

  /** Refreshes while somebody looks, at once after events. Called once, by whatever shows the list. */
  function keepUpToDate(): void {
    const visibility = useDocumentVisibility()
    const { pause, resume } = useIntervalFn(() => void refresh(), EVERY_MS)
    watch(visibility, (now) => {
      if (now === 'hidden') return pause()
      void refresh()
      resume()
    })
    let timer: ReturnType<typeof setTimeout> | undefined
    useLiveChannel().onEvents((id, events) => {
      if (events.some(({ type }) => type === 'session_deleted')) return forget(id)
      if (!events.some(({ type }) => CHANGES.has(type))) return
      timer ??= setTimeout(() => {
        timer = undefined
        void refresh()
      }, SOON_MS)
    })
  }

  return { byId, ids, pinnedIds, hasMore, loading, loaded, error, load, loadMore, refresh, find, rename, pin, remove, contents, keepUpToDate }
})

/** Events after which a session's line looks different. */
const CHANGES: ReadonlySet<string> = new Set([
  'run_accepted',
  'status',
  'clarify_request',
  'pause_answered',
  'subagent_batch_start',
  'subagent_done',
  'done',
  'error',
])
