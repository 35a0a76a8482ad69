// Every page for everybody: axe in both themes and languages, on a desktop and a phone; by keyboard alone;
// without motion for those who want none; nothing wider than the screen; no text without its translation.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBrowser } from './harness/browser.mjs'
import { chat, ended, messages, newChat, until } from './harness/chat.mjs'
import { gate, startModel } from './harness/model.mjs'
import { startNeta } from './harness/neta.mjs'

const LOOKS = [
  { locale: 'en', theme: 'light', phone: false },
  { locale: 'zh', theme: 'dark', phone: false },
  { locale: 'zh', theme: 'light', phone: true },
  { locale: 'en', theme: 'dark', phone: true },
]
const SECTIONS = ['appearance', 'profile', 'sessions', 'keys', 'usage', 'models', 'users', 'roles', 'audit', 'about']

let neta, model, browser
const paths = {}
before(async () => {
  ;[neta, model, browser] = await Promise.all([startNeta(), startModel(), startBrowser()])
  const agent = await neta.agent(model.url, { description: 'Does as it is told', subagentConfig: { maxConcurrent: 2 } })
  const turn = async (message, wait) => neta.call('POST', '/open/netaclaw/chat', { message, agentId: agent.id, wait })

  model.on('rich', async (_, answer) =>
    answer.text('# Title\n\nText with `code` and a [link](https://example.com).\n\n- [x] done\n- [ ] open\n\n```js\nconst a = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'),
  )
  delegates('finished fan-out')
  delegates('running fan-out', gate().opened)
  model.on('ask me', async ({ results }, answer) =>
    results.length > 0 ? answer.text('Thanks.') : answer.call('clarify', { question: 'Which one?', options: ['A', 'B'] }),
  )
  model.on('fail', async (_, answer) => answer.fail(400, 'no'))

  await turn('rich', 20)
  const done = await turn('finished fan-out', 30)
  const running = await turn('running fan-out', 0)
  const asking = await turn('ask me', 5)
  const failed = await turn('fail', 20)
  const batch = await until('the batch is running', async () => {
    const [, answer] = await messages(neta, running.sessionId)
    return answer?.metadata.subagents?.[0]?.items.some((item) => item.status === 'running') && answer.metadata.subagents[0]
  })
  Object.assign(paths, {
    'a new chat': '/chat',
    'a finished batch': `/chat/${done.sessionId}`,
    'a running batch': `/chat/${running.sessionId}`,
    'a subagent’s drawer': `/chat/${running.sessionId}?sub=${batch.items[0].id}`,
    'a question': `/chat/${asking.sessionId}`,
    'a failure': `/chat/${failed.sessionId}`,
    agents: '/agents',
    'a new agent': '/agents/new',
    inbox: '/inbox',
    'nothing here': '/nowhere',
  })
  for (const tab of ['basic', 'prompt', 'tools', 'subagents', 'sharing']) paths[`an agent: ${tab}`] = `/agents/${agent.id}?tab=${tab}`
  for (const section of SECTIONS) paths[`settings: ${section}`] = `/settings/${section}`
})
after(async () => {
  await browser?.stop()
  await Promise.all([neta?.stop(), model?.stop()])
})

/** A supervisor with three subagents, which wait for `held`. */
function delegates(trigger, held) {
  model.on(
    ({ last, tools }) => last.includes(trigger) && tools.includes('delegate_parallel'),
    async ({ results }, answer) => {
      if (results.length > 0) return answer.text('All are in.')
      await answer.call('delegate_parallel', { tasks: ['one', 'two', 'three'].map((name) => ({ goal: `${trigger}: ${name}` })) })
    },
  )
  model.on(
    ({ last, tools }) => last.includes(`${trigger}: `) && !tools.includes('delegate_parallel'),
    async (_, answer) => {
      await answer.text('Looking. ')
      await held
      await answer.text('Seen.')
    },
  )
}

/** The page has what it shows: nothing is being fetched or drawn as an outline. */
async function settled(page) {
  await page.waitForLoadState('networkidle').catch(() => {})
  await until('the page has loaded', () => page.evaluate(() => document.querySelector('.skeleton, .el-loading-mask, .el-skeleton') === null))
}

for (const look of LOOKS) {
  const name = `${look.locale}, ${look.theme}, ${look.phone ? '390 px' : 'desktop'}`
  test(`every page in ${name}`, async () => {
    const view = await browser.open(neta, look)
    const faults = []
    for (const [what, path] of Object.entries(paths)) {
      await view.page.goto(path)
      await settled(view.page)
      await view.shot(`${what.replace(/\W+/g, '-')}-${look.locale}-${look.theme}-${look.phone ? 'phone' : 'desktop'}`)
      await view.assertAccessible(`${what} (${path})`).catch((error) => faults.push(error.message))
      await view.assertClean().catch((error) => faults.push(`${what}: ${error.message}`))
      const wide = await view.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      if (wide > 0) faults.push(`${what} (${path}) is ${wide} px wider than the screen`)
    }
    assert.deepEqual(faults, [])
    await view.close()
  })
}

test('sign-in and the first setup, in all looks', async () => {
  const fresh = await startNeta({ users: false })
  const token = fresh.output().match(/\/setup#(\S+)/)[1]
  for (const look of LOOKS) {
    const login = await browser.open(neta, { ...look, user: null, path: '/chat' })
    await login.page.waitForURL(/\/login/)
    await settled(login.page)
    await login.assertAccessible('login')
    await login.assertClean()
    await login.close()
    const setup = await browser.open(fresh, { ...look, user: null, path: `/setup#${token}` })
    await settled(setup.page)
    await setup.assertAccessible('setup')
    await setup.assertClean()
    await setup.close()
  }
  await fresh.stop()
})

test('nothing moves for those who want no motion', async () => {
  const view = await browser.open(neta, { path: paths['a running batch'], reducedMotion: 'reduce' })
  await view.page.getByRole('log').getByText('running fan-out: one').first().waitFor()
  const moving = () => view.page.evaluate(() => document.getAnimations().filter((animation) => animation.playState === 'running').length)
  assert.equal(await moving(), 0)
  await view.page.emulateMedia({ reducedMotion: 'no-preference' })
  await until('what is alive breathes for the others', async () => (await moving()) > 0)
  await view.close()
})

test('by keyboard alone: a message, its subagent, and back', async () => {
  const view = await browser.open(neta, { path: '/chat' })
  const { page } = view
  const ui = chat(page)
  await ui.box.waitFor()
  await until('the message box has the focus', () => ui.box.evaluate((box) => box === document.activeElement))
  await page.keyboard.type('compare coffee, tea and milk')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('compare coffee, tea and milk')
  await page.keyboard.press('Enter')
  const row = ui.log.getByRole('button', { name: /Look into tea/ })
  await row.waitFor()
  await row.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/sub=\d+/)
  const drawer = page.getByRole('complementary').filter({ hasText: 'Look into tea' }).or(page.getByRole('dialog').filter({ hasText: 'Look into tea' }))
  await drawer.first().waitFor()
  await page.keyboard.press('Escape')
  await until('the drawer is closed', () => !page.url().includes('sub='))
  await ended(neta, await ui.session())
  await view.assertClean()
  await view.close()
})

test('the palette finds pages, chats and commands by keyboard', async () => {
  const view = await browser.open(neta, { path: '/chat' })
  const { page } = view
  await chat(page).box.waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('dialog').getByRole('combobox')
  await field.waitFor()
  await page.keyboard.type('inbox')
  await page.getByRole('option', { name: /Inbox/, selected: true }).waitFor()
  await view.assertAccessible('palette')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/inbox/)
  await page.keyboard.press('Control+k')
  await field.waitFor()
  await page.keyboard.type('finished fan')
  await page.getByRole('option', { name: /finished fan-out/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(paths['a finished batch']))
  await view.close()
})

test('what a person chose stays: language, theme, density', async () => {
  const view = await browser.open(neta, { path: '/settings/appearance' })
  const { page } = view
  const root = page.locator('html')
  await page.getByRole('main').getByText('Dark', { exact: true }).click()
  assert.equal(await root.getAttribute('data-theme'), 'dark')
  await page.getByRole('main').getByText('中文').click()
  await until('the page is in Chinese', async () => (await root.getAttribute('lang')) === 'zh-CN')
  await page.goto('/chat')
  await page.getByText('新对话').first().waitFor()
  assert.equal(await root.getAttribute('data-theme'), 'dark')
  await view.close()
})
