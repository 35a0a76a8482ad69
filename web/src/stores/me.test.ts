// Who uses the page, over sign-outs and other people's sign-ins.
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, it, vi } from 'vitest'
import { useMe } from './me'

let user = 1
const json = (body: unknown) => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })

beforeEach(() => {
  setActivePinia(createPinia())
  user = 1
  vi.stubGlobal('fetch', async (request: Request) =>
    json(request.url.endsWith('/api/me') ? { actor: 'user', user: { id: user }, permissions: ['agent:*', 'session:view'] } : {}),
  )
})

it('the page is loaded anew when somebody else signs in, and only then', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  const me = useMe()
  await me.signIn('ada', 'x')
  await me.signOut()
  await me.signIn('ada', 'x')
  expect(reload).not.toHaveBeenCalled()
  await me.signOut()
  user = 2
  await me.signIn('bob', 'x')
  expect(reload).toHaveBeenCalledOnce()
})

it('a permission is held by name, by its resource, or by all', async () => {
  const me = useMe()
  await me.load()
  expect(me.may('agent:edit')).toBe(true)
  expect(me.may('session:view')).toBe(true)
  expect(me.may('session:edit')).toBe(false)
})
