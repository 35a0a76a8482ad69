// What a person types: input methods, drafts, unsent messages, copying.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBrowser } from './harness/browser.mjs'
import { chat, ended, messages, newChat, socketGate, until } from './harness/chat.mjs'
import { gate, startModel } from './harness/model.mjs'
import { startNeta } from './harness/neta.mjs'

let neta, model, browser
before(async () => {
  ;[model, browser] = await Promise.all([startModel(), startBrowser(['--host-resolver-rules=MAP neta.test 127.0.0.1'])])
  neta = await startNeta({ env: { NETA_ORIGINS: 'http://neta.test' } })
  await neta.agent(model.url)
})
after(async () => {
  await browser?.stop()
  await Promise.all([neta?.stop(), model?.stop()])
})

const sends = (page) => {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/open/netaclaw/chat')) count += 1
  })
  return () => count
}

test('G06: an Enter that ends a composition does not send, the next one does', async () => {
  const view = await browser.open(neta, { locale: 'zh' })
  await view.page.goto('/chat')
  const box = view.page.getByRole('textbox', { name: '消息', exact: true })
  const count = sends(view.page)
  const cdp = await view.context.newCDPSession(view.page)
  await until('the sample question of the first day is there', async () => (await box.inputValue()) !== '')
  await box.fill('')
  await box.focus()
  await cdp.send('Input.imeSetComposition', { text: '你好', selectionStart: 2, selectionEnd: 2 })
  await view.page.keyboard.press('Enter')
  assert.equal(count(), 0)
  await cdp.send('Input.insertText', { text: '你好' })
  assert.match(await box.inputValue(), /^你好\n?$/)

  // Safari ends the composition first and then tells the key, as code 229.
  await box.evaluate((field) => {
    field.dispatchEvent(new CompositionEvent('compositionstart'))
    field.dispatchEvent(new CompositionEvent('compositionend'))
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }))
  })
  assert.equal(count(), 0)
  await box.press('Enter')
  await until('it is sent', () => count() === 1)
  await view.page.getByRole('log').getByText('你好').first().waitFor()
  await view.close()
})

test('G06: the same holds for the search of chats and for renaming', async () => {
  const view = await browser.open(neta)
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('rename me')
  await ended(neta, await ui.session())
  await view.page.getByRole('button', { name: 'Rename' }).first().click()
  const field = view.page.getByRole('textbox', { name: 'New title' })
  await field.fill('新名')
  await field.evaluate((input) => {
    input.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, keyCode: 229, bubbles: true }))
  })
  assert.ok(await field.isVisible(), 'it is still being renamed')
  await field.evaluate((input) => input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true })))
  await field.press('Enter')
  await field.waitFor({ state: 'detached' })
  const session = await ui.session()
  await until('the title is stored', async () => (await neta.call('GET', `/api/sessions/${session}`)).title === '新名')
  await view.close()
})

test('a draft is its chat’s own, outlives a reload, and is gone once it was accepted', async () => {
  const view = await browser.open(neta)
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('first')
  const session = await ui.session()
  await ended(neta, session)
  await ui.box.fill('half a thought')
  await view.page.goto('/chat')
  assert.equal(await ui.box.inputValue(), '')
  await view.page.goto(`/chat/${session}`)
  await until('the draft is back', async () => (await ui.box.inputValue()) === 'half a thought')
  await ui.box.press('Enter')
  await ui.log.getByText('You said: half a thought').waitFor()
  await view.page.reload()
  await ui.log.getByText('You said: half a thought').waitFor()
  assert.equal(await ui.box.inputValue(), '')
  await view.close()
})

test('a message that could not be sent outlives a reload and goes out once', async () => {
  const view = await browser.open(neta, { path: '/login' })
  const sockets = await socketGate(view.context)
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('online')
  const session = await ui.session()
  await ended(neta, session)
  const block = (route) => route.abort('internetdisconnected')
  await view.page.route('**/open/netaclaw/chat', block)
  await sockets.cut()
  await ui.send('written in a tunnel')
  await ui.log.getByText('written in a tunnel').waitFor()
  await view.page.reload()
  await ui.log.getByText('written in a tunnel').waitFor()
  sockets.restore()
  await view.page.unroute('**/open/netaclaw/chat', block)
  await ui.log.getByText('You said: written in a tunnel').waitFor()
  const stored = (await messages(neta, session)).filter(({ content }) => content === 'written in a tunnel')
  assert.equal(stored.length, 1)
  assert.equal(await ui.log.getByText('written in a tunnel', { exact: true }).count(), 1)
  await view.close()
})

test('an expired login asks over the page, and loses neither draft nor message', async () => {
  const view = await browser.open(neta)
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('before')
  const session = await ui.session()
  await ended(neta, session)
  await view.context.clearCookies()
  await ui.send('after the login ended')
  const dialog = view.page.getByRole('dialog')
  await dialog.waitFor()
  await dialog.getByLabel('Name').fill('admin')
  await dialog.getByLabel('Password', { exact: true }).fill('a long password 1')
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await ui.log.getByText('You said: after the login ended').waitFor()
  const stored = (await messages(neta, session)).filter(({ content }) => content === 'after the login ended')
  assert.equal(stored.length, 1)
  await view.close()
})

test('messages that wait for their turn can be changed, removed, and put first', async () => {
  const held = gate()
  model.on('hold the line', async (_, answer) => {
    await answer.text('holding ')
    await held.opened
  })
  const view = await browser.open(neta)
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('hold the line')
  const session = await ui.session()
  await ui.log.getByText('holding').waitFor()
  const queue = view.page.getByRole('list', { name: 'Messages that wait' })
  for (const text of ['second', 'third', 'fourth']) {
    await ui.send(text)
    await queue.getByText(text, { exact: true }).waitFor()
  }
  const chip = (text) => queue.getByRole('listitem').filter({ hasText: text })
  await chip('third').getByRole('button', { name: 'Remove' }).click()
  await chip('third').waitFor({ state: 'detached' })
  await chip('fourth').getByRole('button', { name: 'Edit' }).click()
  await queue.getByRole('textbox').fill('fourth, changed')
  await queue.getByRole('button', { name: 'Save' }).click()
  await queue.getByText('fourth, changed').waitFor()
  await chip('second').getByRole('button', { name: 'Interrupt now' }).click()
  await ui.log.getByText('You said: second').waitFor()
  await ui.log.getByText('You said: fourth, changed').waitFor()
  const told = (await messages(neta, session)).map(({ role, content, status }) => [role, role === 'user' ? content : status])
  assert.deepEqual(told, [
    ['user', 'hold the line'],
    ['assistant', 'cancelled'],
    ['user', 'second'],
    ['assistant', 'completed'],
    ['user', 'fourth, changed'],
    ['assistant', 'completed'],
  ])
  await view.assertClean()
  await view.close()
})

test('copying works on plain http under a name that is not localhost', async () => {
  model.on('some code', async (_, answer) => answer.text('Here:\n\n```js\nconst a = 1\n```\n\nand **done**.'))
  const origin = `http://neta.test:${neta.port}`
  await neta.stop()
  neta = await startNeta({ env: { NETA_ORIGINS: origin }, port: neta.port })
  await neta.agent(model.url)
  const view = await browser.open(neta, { origin })
  assert.equal(await view.page.evaluate(() => window.isSecureContext), false)
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('some code')
  await ended(neta, await ui.session())
  const pasted = async () => {
    await ui.box.fill('')
    await ui.box.focus()
    await view.page.keyboard.press('Control+v')
    return ui.box.inputValue()
  }
  await ui.log.locator('.block').getByRole('button', { name: 'Copy' }).click()
  assert.equal((await pasted()).trim(), 'const a = 1')
  await ui.log.getByRole('button', { name: 'Copy the answer as Markdown' }).click()
  assert.equal(await pasted(), 'Here:\n\n```js\nconst a = 1\n```\n\nand **done**.')
  await view.assertClean()
  await view.close()
})
