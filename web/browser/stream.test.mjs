// A reader's stream has no hole: reloads, lost connections, other tabs, no WebSocket at all.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBrowser } from './harness/browser.mjs'
import { ended, newChat, socketGate, chat, until } from './harness/chat.mjs'
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

/** Two hundred words of which each occurs once; held after the 50th until the gate opens. */
function words(trigger) {
  const held = gate()
  const list = Array.from({ length: 200 }, (_, n) => `w${String(n + 1).padStart(3, '0')}`)
  model.on(trigger, async (_, answer) => {
    for (const [n, word] of list.entries()) {
      if (n === 50) await held.opened
      await answer.text(`${word} `)
    }
  })
  return { held, list }
}

async function assertEachOnce(page, list) {
  const text = await chat(page).lastAnswer()
  for (const word of list) assert.equal(text.split(word).length - 1, 1, `${word} in ${text}`)
}

test('B01: a reload in the middle shows what was written, and goes on', async () => {
  const { held, list } = words('reload me')
  const view = await browser.open(neta)
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('reload me')
  await ui.log.getByText('w050').waitFor()
  const session = await ui.session()
  await view.page.reload()
  await ui.log.getByText('w050').waitFor()
  await assertEachOnce(view.page, list.slice(0, 50))
  held.open()
  await ui.log.getByText('w200').waitFor()
  await assertEachOnce(view.page, list)
  const stored = await ended(neta, session)
  assert.equal(stored.content.trim(), list.join(' '))
  assert.equal(await ui.answers.count(), 1)
  assert.equal(model.asked.filter(({ last }) => last === 'reload me').length, 1)
  await view.assertClean()
  await view.close()
})

const FIVE = ['red', 'green', 'blue', 'black', 'white']
/** A supervisor that hands out five goals; each subagent waits at its own gate. */
function fanOut(trigger) {
  const gates = Object.fromEntries(FIVE.map((name) => [name, gate()]))
  model.on(
    ({ last, messages, tools }) => last.includes(trigger) && tools.includes('delegate_parallel') && messages.length < 30,
    async ({ results }, answer) => {
      if (results.length > 0) return answer.text('All colours are in.')
      await answer.call('delegate_parallel', { tasks: FIVE.map((name) => ({ goal: `${trigger}: look at ${name}` })) })
    },
  )
  for (const name of FIVE) {
    model.on(
      ({ last, tools }) => last.includes(`${trigger}: look at ${name}`) && !tools.includes('delegate_parallel'),
      async (_, answer) => {
        await gates[name].opened
        await answer.text(`${name} is seen.`)
      },
    )
  }
  return gates
}

test('B06: a connection that is away during a batch comes back without a hole or a copy', async () => {
  const gates = fanOut('batch away')
  const view = await browser.open(neta, { path: '/login' })
  const sockets = await socketGate(view.context)
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('batch away')
  const session = await ui.session()
  await ui.log.getByRole('button', { name: /Running .* look at red/ }).waitFor()

  await view.context.setOffline(true)
  await sockets.cut()
  for (const name of FIVE) gates[name].open()
  const stored = await ended(neta, session)
  assert.equal(stored.metadata.subagents[0].summary.completed, 5)
  assert.equal(await view.page.getByText('All colours are in.').count(), 0, 'nothing can have come')

  sockets.restore()
  await view.context.setOffline(false)
  await ui.log.getByText('All colours are in.').waitFor()
  await ui.log.getByText('5 subagents').waitFor()
  assert.equal(await ui.answers.count(), 1)
  assert.equal(await ui.log.getByText('5 subagents').count(), 1)
  assert.equal(await ui.alerts.count(), 0)
  await view.assertClean()
  await view.close()
})

test('two tabs on one chat are equal, and the second stops what the first began', async () => {
  const { list } = words('stop me elsewhere')
  const first = await browser.open(neta)
  const ui = await newChat(first.page, 'Scripted')
  await ui.send('stop me elsewhere')
  const session = await ui.session()
  await ui.log.getByText('w050').waitFor()
  const page = await first.context.newPage()
  await page.goto(`/chat/${session}`)
  const other = chat(page)
  await other.log.getByText('w050').waitFor()
  await other.stop.click()
  const stored = await ended(neta, session)
  assert.equal(stored.status, 'cancelled')
  for (const tab of [ui, other]) {
    await tab.log.getByRole('button', { name: 'Continue' }).waitFor()
    assert.equal(await tab.stop.count(), 0)
  }
  const text = (tab) => tab.log.getByRole('article').last().locator('p', { hasText: 'w001' }).innerText()
  assert.equal(await text(ui), await text(other))
  assert.equal((await text(ui)).trim(), list.slice(0, 50).join(' '))
  await first.assertClean()
  await first.close()
})

test('without WebSocket the answer comes by long polling', async () => {
  const { held, list } = words('no sockets here')
  const view = await browser.open(neta, { path: '/login' })
  const sockets = await socketGate(view.context)
  await sockets.cut()
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('no sockets here')
  await ui.log.getByText('w050').waitFor()
  await view.page.getByText('Long poll').first().waitFor()
  held.open()
  await ui.log.getByText('w200').waitFor()
  await assertEachOnce(view.page, list)
  assert.ok(sockets.tried() > 0, 'it tries the socket')
  await view.assertClean()
  await view.close()
})

test('B09: whatever words the browser has for it, a lost connection is resumed and is no error', async () => {
  const { held, list } = words('load failed')
  const view = await browser.open(neta, { path: '/login' })
  await view.context.addInitScript(() => {
    const real = window.fetch
    window.fetch = (...call) => (window.away ? Promise.reject(new TypeError('Load failed')) : real(...call))
  })
  const sockets = await socketGate(view.context)
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('load failed')
  await ui.log.getByText('w050').waitFor()
  await view.page.evaluate(() => (window.away = true))
  await sockets.cut()
  held.open()
  await ended(neta, await ui.session())
  await until('it tries again', () => sockets.tried() > 1)
  assert.equal(await ui.alerts.count(), 0)
  sockets.restore()
  await view.page.evaluate(() => {
    window.away = false
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await ui.log.getByText('w200').waitFor()
  await assertEachOnce(view.page, list)
  assert.equal(await ui.alerts.count(), 0)
  await view.assertClean()
  await view.close()
})

test('the server may be killed and started again: the answer is whole', async () => {
  const { held, list } = words('kill the server')
  const view = await browser.open(neta)
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('kill the server')
  await ui.log.getByText('w050').waitFor()
  await neta.kill()
  held.open()
  await neta.start()
  await ui.log.getByText('w200').waitFor({ timeout: 60_000 })
  await assertEachOnce(view.page, list)
  assert.equal(await ui.answers.count(), 1)
  await view.close()
})
