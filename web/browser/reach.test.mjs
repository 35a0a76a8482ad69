// By Tab alone, with the focus where one left it; on a phone, with content wider than it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBrowser } from './harness/browser.mjs'
import { chat, until } from './harness/chat.mjs'
import { gate, startModel } from './harness/model.mjs'
import { startNeta } from './harness/neta.mjs'

let neta, model, browser
/** What the server holds: an agent, a chat whose batch has ended, one whose batch runs. */
const has = {}
const held = gate()
before(async () => {
  ;[neta, model, browser] = await Promise.all([startNeta(), startModel(), startBrowser()])
  has.agent = await neta.agent(model.url, {
    description: 'Answers, and hands work to subagents.',
    systemPrompt: 'Answer, and ask the user where you are not sure.',
    starters: ['What can you do?'],
    icon: '🧭',
  })
  script()
  const say = (message, wait = 0) => neta.call('POST', '/open/netaclaw/chat', { agentId: has.agent.id, message, wait })
  has.done = (await say('finished batch', 30)).sessionId
  has.running = (await say('running batch')).sessionId
})
after(async () => {
  held.open()
  await browser?.stop()
  await Promise.all([neta?.stop(), model?.stop()])
})

const CONTENT = `## What was found

Some **bold** and *slanted* text, \`code\`, and a [link](https://example.com/a/very/long/address/that/does/not/break?query=1234567890).

1. one
2. two

| Name | Amount | A column with a rather long head | Another one | And one more |
|---|---:|---|---|---|
| a | 1 | ${'wide '.repeat(20)} | b | c |

> quoted

\`\`\`js
const long = '${'x'.repeat(200)}'
\`\`\`

${'unbroken'.repeat(40)}`

function script() {
  model.on('batch', async ({ last, results, tools }, answer) => {
    if (!tools.includes('delegate_parallel')) {
      if (last.includes('running')) await held.opened
      return last.includes('three') ? answer.fail(400, 'it was refused') : answer.text('Seen.')
    }
    if (results.length === 0) {
      await answer.thinking('I should split this.')
      await answer.call('todo_write', { items: [{ content: 'Split', status: 'completed' }, { content: 'Compare', status: 'in_progress' }, { content: 'Tell', status: 'pending' }] })
      return answer.call('get_time', {})
    }
    if (results.length === 2) {
      return answer.call('delegate_parallel', { tasks: ['one', 'two', 'three', 'four', 'five'].map((n) => ({ goal: `${last}, part ${n}` })) })
    }
    return answer.text(CONTENT)
  })
}

/** Nothing is wider than the page. */
async function assertFits(page, where) {
  const wide = await page.evaluate(() => {
    const limit = document.documentElement.clientWidth
    if (document.documentElement.scrollWidth <= limit && document.body.scrollWidth <= limit) return []
    return [...document.body.querySelectorAll('*')].filter((el) => el.getBoundingClientRect().right > limit + 1).slice(0, 5).map((el) => el.outerHTML.slice(0, 160))
  })
  assert.deepEqual(wide, [], `wider than the page: ${where}`)
}

/** Opacity and colours are on their way no more. */
const settled = (page) =>
  page.evaluate(() => Promise.all(document.getAnimations().filter((a) => a.effect?.getTiming().iterations !== Infinity).map((a) => a.finished.catch(() => {}))))

test('an empty inbox', async () => {
  const view = await browser.open(neta, { path: '/login' })
  await view.page.route('**/api/pauses?*', (route) => route.fulfill({ json: { items: [] } }))
  await view.page.route('**/api/pauses', (route) => route.fulfill({ json: { items: [] } }))
  await view.page.goto('/inbox')
  await view.page.getByText('Nothing waits for you').waitFor()
  await view.assertAccessible()
  await view.assertClean()
  await view.close()
})

/** Tab until what is focused fits, as a person would. */
async function tabTo(page, name, key = 'Tab', limit = 60) {
  const seen = []
  for (let presses = 0; presses < limit; presses += 1) {
    const focused = await page.evaluate(() => {
      const el = document.activeElement
      const labelled = el.labels?.[0]?.innerText
      return { name: (el.getAttribute('aria-label') ?? labelled ?? el.innerText ?? '').replace(/\s+/g, ' '), visible: el.matches(':focus-visible') }
    })
    if (name.test(focused.name)) {
      assert.ok(focused.visible, `the focus shows on ${focused.name}`)
      return
    }
    seen.push(focused.name)
    await page.keyboard.press(key)
  }
  assert.fail(`${key} did not reach ${name}: ${seen.join(' | ')}`)
}
const focusedIn = (page) => page.evaluate(() => document.activeElement.closest('[aria-label]')?.getAttribute('aria-label'))

test('with the keyboard alone: from the first page to an answer, its subagent, and back', async () => {
  const view = await browser.open(neta, { path: `/chat?agent=${has.agent.id}` })
  const { page } = view
  const ui = chat(page)
  await ui.box.waitFor()
  await tabTo(page, /^Message$/)
  await page.keyboard.type('finished batch by keys')
  await page.keyboard.press('Enter')
  await ui.log.getByText('quoted').waitFor()
  // From the message box backwards, over the end of the answer, to the batch's card.
  await tabTo(page, /5 subagents/, 'Shift+Tab')
  const card = ui.log.getByRole('button', { name: /5 subagents/ }).first()
  if ((await card.getAttribute('aria-expanded')) === 'false') await page.keyboard.press('Enter')
  await tabTo(page, /part one/)
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('complementary', { name: 'Subagent' })
  await drawer.getByText('Seen.').first().waitFor()
  await until('the focus is in the drawer', async () => /Subagent/.test((await focusedIn(page)) ?? ''))
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  const back = await page.evaluate(() => document.activeElement.innerText)
  assert.match(back, /part one/, 'the focus returns to where it came from')
  await view.close()
})

test('the palette by keys: it opens, finds, goes there; else the focus returns', async () => {
  const view = await browser.open(neta, { path: '/agents' })
  const { page } = view
  await page.getByText('Scripted').first().waitFor()
  const place = page.getByRole('link', { name: 'Inbox' })
  await place.focus()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Find or do' })
  await field.waitFor()
  assert.ok(await field.evaluate((el) => el === document.activeElement))
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await until('the focus returns', () => place.evaluate((el) => el === document.activeElement))
  await page.keyboard.press('Control+k')
  await page.keyboard.type('finished batch')
  await page.getByRole('option', { name: /finished batch/ }).first().waitFor()
  await view.assertAccessible('palette')
  for (let n = 0; n < 20; n += 1) {
    const chosen = await page.getByRole('listbox', { name: 'Find or do' }).getByRole('option', { selected: true }).innerText()
    if (/finished batch/.test(chosen)) break
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}/)
  await chat(page).log.getByText('quoted').waitFor()
  await view.assertClean()
  await view.close()
})

test('chats are searched, chosen by arrows, and left again by keys', async () => {
  const view = await browser.open(neta, { path: '/chat' })
  const { page } = view
  const list = page.getByRole('navigation', { name: 'Chats' })
  await list.getByRole('link').first().waitFor()
  await tabTo(page, /^Search chats$/)
  await page.keyboard.type('running')
  await until('the others are hidden', async () => (await list.getByRole('link').count()) === 1)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('batch')
  await until('both are found', async () => (await list.getByRole('link').count()) >= 2)
  await list.getByRole('link').first().focus()
  await page.keyboard.press('ArrowDown')
  assert.ok(await list.getByRole('link').nth(1).evaluate((el) => el === document.activeElement))
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/chat\/[0-9a-f-]{36}/)
  await page.keyboard.press('Control+Shift+o')
  await page.waitForURL(/\/chat$/)
  await view.close()
})

test('a phone has room for all: wide content, the list of chats, a subagent, menus', async () => {
  const view = await browser.open(neta, { phone: true, path: '/login' })
  const { page } = view
  await page.goto(`/chat/${has.done}`)
  await page.getByText('quoted').waitFor()
  await assertFits(page, 'an answer with wide content')
  await page.getByRole('button', { name: 'Show the chats' }).click()
  await page.getByRole('dialog', { name: 'Chats' }).getByRole('link').first().waitFor()
  await settled(page)
  await view.assertAccessible('list of chats on a phone')
  await assertFits(page, 'list of chats')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'More for this chat' }).click()
  await page.getByRole('menu').waitFor()
  await settled(page)
  await view.assertAccessible('menu on a phone')
  await assertFits(page, 'menu')
  await page.keyboard.press('Escape')
  await page.getByRole('log').getByRole('button', { name: /5 subagents/ }).first().click()
  await page.getByRole('log').getByRole('button', { name: /part one/ }).click()
  await page.getByRole('dialog', { name: 'Subagent' }).getByText('Seen.').first().waitFor()
  await settled(page)
  await view.shot('reach-phone-subagent')
  await view.assertAccessible('subagent on a phone')
  await assertFits(page, 'subagent')
  await view.close()
})
