// The pages beside a running answer: the first day, agents and who may change them, questions, chats and
// what is done with them.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { startBrowser } from './harness/browser.mjs'
import { chat, ended, messages, newChat, until } from './harness/chat.mjs'
import { gate, startModel } from './harness/model.mjs'
import { startNeta } from './harness/neta.mjs'

let neta, model, browser
before(async () => {
  ;[neta, model, browser] = await Promise.all([startNeta(), startModel(), startBrowser()])
  await neta.agent(model.url)
})
after(async () => {
  await browser?.stop()
  await Promise.all([neta?.stop(), model?.stop()])
})

const say = async (message, wait = 30) => {
  const agents = await neta.call('GET', '/api/agents?q=Scripted')
  const agent = agents.items.find(({ name }) => name === 'Scripted')
  return neta.call('POST', '/open/netaclaw/chat', { agentId: agent.id, message, wait })
}
const statusOf = (view, method, path, body) =>
  view.page.evaluate(
    async ([how, where, what]) =>
      (await fetch(where, { method: how, headers: { 'content-type': 'application/json' }, body: what && JSON.stringify(what) })).status,
    [method, path, body],
  )

test('the first day: three steps, and the sample question is answered with five subagents', async (t) => {
  const fresh = await startNeta({ users: false })
  try {
    const began = Date.now()
    const setup = fresh.output().match(/\/setup#\S+/)[0]
    const view = await browser.open(fresh, { user: null, path: setup })
    const { page } = view
    await page.getByLabel('Name').fill('first')
    await page.getByLabel('Password', { exact: true }).fill('a long password 1')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Start with the demo model').click()
    await page.getByRole('button', { name: 'To the first conversation' }).click()
    await page.waitForURL(/\/chat/)
    const ui = chat(page)
    await until('a question is ready', async () => (await ui.box.inputValue()) !== '')
    await view.shot('first-day')
    await ui.box.press('Enter')
    const first = await ended(fresh, await ui.session())
    assert.equal(first.status, 'completed')
    assert.equal(first.metadata.subagents[0].items.length, 5)
    await ui.log.getByRole('button', { name: /5 subagents/ }).waitFor()
    t.diagnostic(`from the setup page to the first answer: ${((Date.now() - began) / 1000).toFixed(1)} s`)
    await view.shot('first-answer')
    await view.assertClean()
    await view.close()
  } finally {
    await fresh.stop()
  }
})

test('who may only look sees no action, and the server refuses', async () => {
  const roles = await neta.call('GET', '/api/roles')
  const viewer = roles.items.find(({ name }) => name === 'viewer')
  const user = { name: 'looker', password: 'another password 2' }
  await neta.call('POST', '/api/users', { ...user, displayName: 'Looker', roleIds: [viewer.id] })
  const [agent] = (await neta.call('GET', '/api/agents?q=Scripted')).items
  const view = await browser.open(neta, { user, path: '/agents' })
  const { page } = view
  await page.getByText('Scripted').first().waitFor()
  for (const name of [/^New agent/, /^Import/, /^Delete/]) assert.equal(await page.getByRole('main').getByRole('button', { name }).count(), 0, String(name))
  await page.goto(`/agents/${agent.id}`)
  const name = page.locator('[data-field=name]')
  await name.or(page.getByText("This page isn't open to you")).first().waitFor()
  if (await name.isVisible()) assert.notEqual(await name.getAttribute('readonly'), null)
  assert.equal(await page.getByRole('button', { name: /^(Save|Create|Discard)$/ }).count(), 0)
  for (const section of ['models', 'users', 'roles', 'audit']) {
    await page.goto(`/settings/${section}`)
    await page.getByRole('heading').first().waitFor()
    assert.equal(await page.getByRole('main').getByRole('button', { name: /^(Add|New|Edit|Delete)/ }).count(), 0, section)
  }
  assert.equal(await statusOf(view, 'PATCH', `/api/agents/${agent.id}`, { name: 'Mine' }), 403)
  assert.equal(await statusOf(view, 'DELETE', `/api/agents/${agent.id}`), 403)
  assert.equal(await statusOf(view, 'POST', '/api/models', { name: 'm', provider: 'demo', modelName: 'demo' }), 403)
  await view.assertClean()
  await view.close()
})

/** The editor of a fresh agent, with a change of the description, while somebody else renames it. */
async function conflict(name) {
  const agent = await neta.agent(model.url, { name, description: 'first' })
  const view = await browser.open(neta, { path: `/agents/${agent.id}` })
  await view.page.getByLabel('Description').fill('mine')
  await neta.call('PATCH', `/api/agents/${agent.id}`, { description: 'theirs', version: agent.version })
  await view.page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = view.page.getByRole('dialog', { name: 'Somebody else saved this agent' })
  await dialog.waitFor()
  assert.match(await dialog.innerText(), /mine[\s\S]*theirs/)
  return { agent, view, dialog, stored: () => neta.call('GET', `/api/agents/${agent.id}`) }
}

test('two editors of one agent: the second chooses between both', async () => {
  const first = await conflict('Conflict one')
  await first.view.shot('conflict')
  await first.view.assertAccessible('conflict')
  await first.dialog.getByRole('button', { name: 'Take theirs' }).click()
  await first.dialog.waitFor({ state: 'detached' })
  assert.equal(await first.view.page.getByLabel('Description').inputValue(), 'theirs')
  assert.equal((await first.stored()).description, 'theirs')
  await first.view.close()

  const second = await conflict('Conflict two')
  await second.dialog.getByRole('button', { name: 'Overwrite with mine' }).click()
  await until('mine is stored', async () => (await second.stored()).description === 'mine')
  await second.view.assertClean()
  await second.view.close()
})

test('what is not saved is not lost by leaving, and a wrong field says so in its place', async () => {
  const agent = await neta.agent(model.url, { name: 'Guarded' })
  const view = await browser.open(neta, { path: `/agents/${agent.id}` })
  const { page } = view
  const name = page.locator('[data-field=name]')
  await name.fill('')
  await page.getByText('Give it a name.').waitFor()
  assert.equal(await name.getAttribute('aria-invalid'), 'true')
  assert.ok(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled())
  await name.fill('Scripted')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Another agent has this name.').waitFor()
  await page.getByRole('link', { name: 'Inbox' }).click()
  const leave = page.getByRole('dialog', { name: 'Leave without saving?' })
  await leave.getByRole('button', { name: 'Stay' }).click()
  assert.equal(await name.inputValue(), 'Scripted')
  await page.getByRole('link', { name: 'Inbox' }).click()
  await leave.getByRole('button', { name: 'Discard and leave' }).click()
  await page.waitForURL(/\/inbox/)
  assert.equal((await neta.call('GET', `/api/agents/${agent.id}`)).name, 'Guarded')
  await view.assertClean()
  await view.close()
})

test('an agent goes out as a file and comes in again', async () => {
  const agent = await neta.agent(model.url, { name: 'Traveller', description: 'goes places', systemPrompt: 'Travel.', starters: ['Where to?'] })
  const view = await browser.open(neta, { path: '/agents' })
  const { page } = view
  await page.getByRole('button', { name: 'Actions for Traveller' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Export as JSON' }).click()])
  const file = { name: 'traveller.json', mimeType: 'application/json', buffer: await readFile(await download.path()) }
  await neta.call('DELETE', `/api/agents/${agent.id}`)
  await page.reload()
  await page.getByText('Scripted').first().waitFor()
  await page.getByRole('button', { name: 'Import' }).first().click()
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Create one agent' }).click()
  const again = await until('it is made', async () => (await neta.call('GET', '/api/agents?q=Traveller')).items[0])
  const { description, systemPrompt, starters, modelId } = await neta.call('GET', `/api/agents/${again.id}`)
  assert.deepEqual({ description, systemPrompt, starters, modelId }, { description: 'goes places', systemPrompt: 'Travel.', starters: ['Where to?'], modelId: agent.modelId })
  await view.assertClean()
  await view.close()
})

/** A model that asks, and repeats what it was answered. */
function asks() {
  model.on('ask about', async ({ last, results }, answer) =>
    results.length > 0 ? answer.text(`Told: ${results[0]}`) : answer.call('clarify', { question: `Which ${last.slice(10)}?`, options: ['Left', 'Right'] }),
  )
}

test('E12: of two questions the second is answered, and only it', async () => {
  asks()
  const [one, two] = [await say('ask about roads'), await say('ask about rivers')]
  const view = await browser.open(neta, { path: '/inbox' })
  const row = (text) => view.page.getByRole('article').filter({ hasText: text })
  await row('Which roads?').waitFor()
  await view.shot('inbox')
  await row('Which rivers?').getByRole('button', { name: 'Right' }).click()
  await row('Which rivers?').getByText('Answered: Right').waitFor()
  assert.match((await ended(neta, two.sessionId)).content, /Right/)
  const open = (await neta.call('GET', '/api/pauses?status=open')).items.map(({ sessionId }) => sessionId)
  assert.ok(open.includes(one.sessionId) && !open.includes(two.sessionId))
  assert.ok(await row('Which roads?').getByRole('button', { name: 'Left' }).isEnabled())

  // Answered elsewhere meanwhile: the card says so and takes no second answer.
  await view.page.goto(`/chat/${one.sessionId}`)
  const card = view.page.getByRole('region', { name: 'A question for you' })
  await card.getByRole('button', { name: 'Left' }).waitFor()
  const [pause] = (await neta.call('GET', `/api/pauses?status=open&sessionId=${one.sessionId}`)).items
  await neta.call('POST', `/api/pauses/${pause.pauseId}/answer`, { answer: 'Right' })
  await chat(view.page).log.getByText('Told:').waitFor()
  assert.equal(await view.page.getByRole('button', { name: 'Left' }).count(), 0)
  await view.assertClean()
  await view.close()
})

test('E12: a question that has expired says so, and an answer to it is no success', async () => {
  const brief = await startNeta({ env: { NETA_CLARIFY_DEADLINE_SECONDS: '3' } })
  try {
    asks()
    const agent = await brief.agent(model.url)
    const { sessionId } = await brief.call('POST', '/open/netaclaw/chat', { agentId: agent.id, message: 'ask about time', wait: 0 })
    const open = await until('it is asked', async () => {
      const page = await brief.call('GET', '/api/pauses?status=open')
      return page.items.length > 0 && page
    })
    // The page has not heard yet that it is over.
    const view = await browser.open(brief, { path: '/login' })
    await view.page.route(/\/api\/pauses(\?.*)?$/, (route) => route.fulfill({ json: open }))
    await view.page.goto('/inbox')
    const row = view.page.getByRole('article').filter({ hasText: 'Which time?' })
    await row.waitFor()
    await until('it has expired', async () => (await brief.call('GET', `/api/pauses/${open.items[0].pauseId}`)).status === 'expired')
    await row.getByRole('button', { name: 'Left' }).click()
    await row.getByText('Nobody answered in time').waitFor()
    assert.equal(await row.getByText('Answered: Left').count(), 0)
    await view.page.goto(`/chat/${sessionId}`)
    await chat(view.page).log.getByText('Told:').waitFor()
    assert.doesNotMatch((await ended(brief, sessionId)).content, /Left/)
    await view.assertClean()
    await view.close()
  } finally {
    await brief.stop()
  }
})

test('a question is answered in its chat, in words of one’s own', async () => {
  asks()
  const view = await browser.open(neta)
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('ask about words')
  await view.page.getByRole('textbox', { name: 'Your answer' }).fill('neither of them')
  await view.page.getByRole('button', { name: 'Answer', exact: true }).click()
  await ui.log.getByText('Told:').waitFor()
  assert.match((await ended(neta, await ui.session())).content, /neither of them/)
  await view.assertClean()
  await view.close()
})

test('a budget that is used up is raised, or the turn finishes, where it is asked', async () => {
  await neta.agent(model.url, { name: 'Thrifty', budgetTokens: 50 })
  model.on('spend', async ({ results }, answer) => (results.length === 0 ? answer.call('get_time', {}) : answer.text('Spent.')))
  const view = await browser.open(neta)
  const ui = await newChat(view.page, 'Thrifty')
  await ui.send('spend it')
  // It is asked before each step that would cost too much.
  const raise = ui.log.getByRole('button', { name: 'Raise the budget' })
  await raise.click()
  const session = await ui.session()
  await until('the turn ends', async () => {
    const last = (await messages(neta, session)).at(-1)
    if (last.status === 'pending' && (await raise.isVisible()) && (await raise.isEnabled())) await raise.click({ timeout: 1000 }).catch(() => {})
    return last.status === 'completed'
  })
  await ui.log.getByText('Spent.').waitFor()
  await view.assertClean()
  await view.close()
})

test('a chat is pinned, renamed and exported, and the file holds what is stored', async () => {
  const { sessionId } = await say('to be exported')
  const view = await browser.open(neta, { path: `/chat/${sessionId}` })
  const { page } = view
  const list = page.getByRole('navigation', { name: 'Chats' })
  const choose = async (title, item) => {
    await list.getByRole('button', { name: `More for ${title}` }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  await list.getByRole('link', { name: /to be exported/ }).hover()
  await choose('to be exported', 'Pin')
  await list.getByRole('heading', { name: 'Pinned' }).waitFor()
  assert.equal((await neta.call('GET', `/api/sessions/${sessionId}`)).pinned, true)
  await choose('to be exported', 'Rename')
  await list.getByRole('textbox', { name: 'New title' }).fill('Another name')
  await page.keyboard.press('Enter')
  await list.getByRole('link', { name: /Another name/ }).waitFor()
  const [json] = await Promise.all([page.waitForEvent('download'), choose('Another name', 'Export as JSON')])
  const file = JSON.parse(await readFile(await json.path(), 'utf8'))
  assert.deepEqual(file.messages, await messages(neta, sessionId))
  const [markdown] = await Promise.all([page.waitForEvent('download'), choose('Another name', 'Export as Markdown')])
  const text = await readFile(await markdown.path(), 'utf8')
  assert.match(text, /Another name/)
  for (const { content } of await messages(neta, sessionId)) assert.ok(text.includes(content), content)
  await view.assertClean()
  await view.close()
})

test('a chat is deleted in the middle of a batch: it says what goes with it, and is gone', async () => {
  const held = gate()
  model.on('doomed', async ({ last, results, tools }, answer) => {
    if (!tools.includes('delegate_parallel')) {
      await answer.text('at it ')
      return held.opened
    }
    if (results.length === 0) await answer.call('delegate_parallel', { tasks: ['a', 'b', 'c'].map((n) => ({ goal: `${last} ${n}` })) })
  })
  const view = await browser.open(neta)
  const { page } = view
  const ui = await newChat(page, 'Scripted')
  await ui.send('doomed batch')
  const session = await ui.session()
  await ui.log.getByRole('button', { name: /^Running .*doomed batch a/ }).waitFor()
  await page.getByRole('button', { name: 'More for doomed batch' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this chat?' })
  await dialog.getByText('2 messages').waitFor()
  await dialog.getByText('3 subagents with their records').waitFor()
  await dialog.getByText('1 turn under way, which is stopped').waitFor()
  await view.shot('delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL(/\/chat$/)
  await page.getByRole('link', { name: /doomed batch/ }).waitFor({ state: 'detached' })
  await assert.rejects(neta.call('GET', `/api/sessions/${session}`), /404/)
  held.open()
  await view.assertClean()
  await view.close()
})

test('an answer is asked for again, a message changed, a stopped turn continued or discarded', async () => {
  let tries = 0
  model.on('try me', async ({ last }, answer) => answer.text(`Try ${(tries += 1)} of ${last}`))
  const held = gate()
  model.on('never ends', async (_, answer) => {
    await answer.text('It begins')
    await held.opened
  })
  model.on('Please continue', async (_, answer) => answer.text('And it ends.'))
  const view = await browser.open(neta)
  const { page } = view
  const ui = await newChat(page, 'Scripted')
  await ui.send('try me')
  await ui.log.getByText('Try 1 of try me').waitFor()
  await ui.answers.last().hover()
  await ui.log.getByRole('button', { name: 'Answer again' }).click()
  await ui.log.getByText('Try 2 of try me').waitFor()
  assert.equal(await ui.log.getByText('Try 1 of').count(), 0)
  await ui.log.getByText('try me', { exact: true }).hover()
  await ui.log.getByRole('button', { name: 'Edit and send again' }).click()
  await page.getByRole('textbox', { name: 'Changed message' }).fill('try me, changed')
  await page.getByRole('textbox', { name: 'Changed message' }).press('Enter')
  await ui.log.getByText('Try 3 of try me, changed').waitFor()
  assert.equal((await messages(neta, await ui.session())).length, 2)

  for (const what of ['Discard', 'Continue']) {
    await ui.send('never ends')
    await ui.log.getByText('It begins').waitFor()
    await ui.stop.click()
    await ui.log.getByRole('button', { name: what }).click()
    if (what === 'Discard') await ui.log.getByText('never ends').waitFor({ state: 'detached' })
    else await ui.log.getByText('And it ends.').waitFor()
  }
  held.open()
  const told = (await messages(neta, await ui.session())).map(({ content }) => content)
  assert.deepEqual(told.slice(2), ['never ends', 'It begins', 'Please continue where you stopped.', 'And it ends.'])
  await view.assertClean()
  await view.close()
})

test('who may only talk to agents chooses among them, and a double press counts once', async () => {
  const roles = (await neta.call('GET', '/api/roles')).items
  const member = { name: 'talker', password: 'a long password 2' }
  await neta.call('POST', '/api/users', { ...member, roleIds: [roles.find(({ name }) => name === 'member').id] })
  const held = gate()
  model.on('begin and wait', async (_, answer) => {
    await answer.text('begun ')
    await held.opened
  })
  const view = await browser.open(neta, { user: member })
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('begin and wait')
  await ui.log.getByText('begun').waitFor()
  await ui.stop.click()
  const session = await ui.session()
  await ended(neta, session)
  await ui.log.getByRole('button', { name: 'Continue' }).dblclick()
  await ui.log.getByText('And it ends.').waitFor()
  const told = (await messages(neta, session)).map(({ role, status }) => [role, status])
  assert.deepEqual(told, [
    ['user', 'completed'],
    ['assistant', 'cancelled'],
    ['user', 'completed'],
    ['assistant', 'completed'],
  ])
  await view.page.goto(`/chat/${session}#%`)
  await ui.log.getByText('begun').waitFor()
  await view.assertClean()
  await view.close()
})
