import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer, refusal } from '@/api/live/testing/fakes'
import { useSessions } from './sessions'

let server: ReturnType<typeof fakeServer>
let rows: { id: string; title: string; updateTime: string; pinned: boolean }[]
let sessions: ReturnType<typeof useSessions>

const row = (n: number, pinned = false) => ({ id: `s${n}`, title: `t${n}`, updateTime: `2026-12-01T00:00:0${n}Z`, pinned })

beforeEach(async () => {
  setActivePinia(createPinia())
  server = fakeServer()
  rows = [row(3), row(2, true), row(1)]
  server.on(({ pathname, searchParams }) => {
    if (pathname !== '/api/sessions') return undefined
    const found = rows.filter(({ title }) => title.includes(searchParams.get('q') ?? ''))
    const from = Number(searchParams.get('cursor') ?? 0)
    return { body: { items: found.slice(from, from + 2), nextCursor: found.length > from + 2 ? `${from + 2}` : undefined } }
  })
  sessions = useSessions()
  await sessions.load()
})
afterEach(() => vi.unstubAllGlobals())

it('lists the last used first, page by page', async () => {
  expect(sessions.ids).toEqual(['s3', 's2'])
  await sessions.loadMore()
  expect(sessions.ids).toEqual(['s3', 's2', 's1'])
  expect(sessions.hasMore).toBe(false)
  expect(sessions.pinnedIds).toEqual(['s2'])
})

it('is refreshed without losing what was loaded beyond the first page', async () => {
  await sessions.loadMore()
  rows = [row(4), ...rows]
  await sessions.refresh()
  expect(sessions.ids).toEqual(['s4', 's3', 's2', 's1'])
})

it('finds, and shows all again', async () => {
  await sessions.load({ q: 't1' })
  expect(sessions.ids).toEqual(['s1'])
  await sessions.load()
  expect(sessions.ids).toEqual(['s3', 's2'])
})

it('renames and pins with what the server says, and removes also what is gone', async () => {
  server.on(({ pathname }, { method }) => {
    if (pathname !== '/api/sessions/s3') return undefined
    return method === 'PATCH' ? { body: { ...row(3), title: 'new', pinned: true } } : refusal(404, 'not_found')
  })
  await sessions.rename('s3', 'new')
  expect(sessions.byId.get('s3')?.title).toBe('new')
  expect(sessions.pinnedIds).toContain('s3')
  await sessions.remove('s3')
  expect(sessions.ids).toEqual(['s2'])
})

it('keeps what it has while the server is away', async () => {
  server.on(() => new TypeError('Load failed'))
  await sessions.refresh()
  expect(sessions.ids).toEqual(['s3', 's2'])
  expect(sessions.error).toBeUndefined()
})
