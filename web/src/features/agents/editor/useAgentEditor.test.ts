// Saving, and what comes of it when the server refuses.
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Agent } from '@/api/types'
import { useAgentEditor } from './useAgentEditor'

const agent = { id: 4, version: 1, name: 'Editor', modelId: 1, systemPrompt: 'old', temperature: null } as unknown as Agent
const answers: { status: number; body: unknown }[] = []
const sent: { method: string; body: unknown }[] = []

beforeEach(() => {
  setActivePinia(createPinia())
  answers.length = sent.length = 0
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push({ method: request.method, body: await request.json().catch(() => undefined) })
    const { status, body } = answers.shift() ?? { status: 500, body: {} }
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
  })
})
const problem = (status: number, code: string, rest: object = {}) => ({ status, body: { code, status, detail: code, type: '', title: '', ...rest } })

test('only what differs is sent, with the version that it was made upon', async () => {
  const editor = useAgentEditor()
  editor.show(agent)
  editor.set({ name: 'New' })
  answers.push({ status: 200, body: { ...agent, name: 'New', version: 2 } })
  expect(await editor.save()).toBe('saved')
  expect(sent).toEqual([{ method: 'PATCH', body: { name: 'New', version: 1 } }])
  expect(editor.dirty.value).toBe(false)
})

test('a draft with errors is not sent, and its errors are shown', async () => {
  const editor = useAgentEditor()
  editor.start()
  expect(editor.shownErrors.value).toEqual({})
  expect(await editor.save()).toBe('refused')
  expect(Object.keys(editor.shownErrors.value)).toEqual(['name', 'modelId'])
  expect(sent).toEqual([])
})

test('what the server refuses stands at its field until that is changed', async () => {
  const editor = useAgentEditor()
  editor.show(agent)
  editor.set({ systemPrompt: 'new' })
  answers.push(problem(400, 'invalid', { errors: [{ field: 'systemPrompt', detail: 'too long' }] }))
  expect(await editor.save()).toBe('refused')
  expect(editor.errors.value).toEqual({ systemPrompt: { text: 'too long' } })
  expect(editor.canSave.value).toBe(false)
  editor.set({ systemPrompt: 'newer' })
  expect(editor.canSave.value).toBe(true)
})

test('somebody else was faster: both changes together are saved upon theirs', async () => {
  const editor = useAgentEditor()
  editor.show(agent)
  editor.set({ name: 'Mine' })
  answers.push(problem(409, 'version_conflict', { current: { ...agent, systemPrompt: 'theirs', version: 7 } }))
  expect(await editor.save()).toBe('conflict')
  editor.keepEditing()
  expect(editor.theirs.value).toBeUndefined()
  expect(editor.draft.value).toMatchObject({ name: 'Mine', systemPrompt: 'theirs' })
  answers.push({ status: 200, body: { ...agent, name: 'Mine', systemPrompt: 'theirs', version: 8 } })
  expect(await editor.save()).toBe('saved')
  expect(sent.at(-1)?.body).toEqual({ name: 'Mine', version: 7 })
})

test('mine over theirs undoes what they changed', async () => {
  const editor = useAgentEditor()
  editor.show(agent)
  editor.set({ name: 'Mine' })
  answers.push(problem(409, 'version_conflict', { current: { ...agent, systemPrompt: 'theirs', version: 7 } }))
  await editor.save()
  answers.push({ status: 200, body: { ...agent, name: 'Mine', version: 8 } })
  expect(await editor.overwrite()).toBe('saved')
  expect(sent.at(-1)?.body).toEqual({ name: 'Mine', systemPrompt: 'old', version: 7 })
})

test('a taken name is told at the name', async () => {
  const editor = useAgentEditor()
  editor.show(agent)
  editor.set({ name: 'Taken' })
  answers.push(problem(409, 'conflict'))
  expect(await editor.save()).toBe('refused')
  expect(editor.errors.value.name).toEqual({ key: 'nameTaken' })
})

test('an agent that was deleted meanwhile can be made anew', async () => {
  const editor = useAgentEditor()
  editor.show(agent)
  editor.set({ name: 'Kept' })
  answers.push(problem(404, 'not_found'))
  expect(await editor.save()).toBe('failed')
  expect(editor.gone.value).toBe(true)
  answers.push({ status: 201, body: { ...agent, id: 9, name: 'Kept' } })
  expect(await editor.save()).toBe('saved')
  expect(sent.at(-1)).toMatchObject({ method: 'POST', body: { name: 'Kept', systemPrompt: 'old' } })
})

test('without the server nothing is lost', async () => {
  const editor = useAgentEditor()
  editor.show(agent)
  editor.set({ name: 'Mine' })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Load failed')))
  expect(await editor.save()).toBe('failed')
  expect(editor.draft.value.name).toBe('Mine')
  expect(editor.canSave.value).toBe(true)
})
