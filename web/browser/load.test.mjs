// It stays usable under load: long answers, long results, long chats, many subagents. Times are printed, not judged.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { startBrowser } from './harness/browser.mjs'
import { ended, newChat, until } from './harness/chat.mjs'
import { gate, startModel } from './harness/model.mjs'
import { startNeta } from './harness/neta.mjs'

let neta, model, browser, agent
before(async () => {
  ;[neta, model, browser] = await Promise.all([startNeta({ env: { NETA_WORKER_SLOTS: '32', NETA_SUBAGENT_LIMIT_CONCURRENT: '20' } }), startModel(), startBrowser()])
  agent = await neta.agent(model.url, { subagentConfig: { enabled: true, maxConcurrent: 20 } })
})
after(async () => {
  await browser?.stop()
  await Promise.all([neta?.stop(), model?.stop()])
})

const nodes = (page) => page.evaluate(() => document.querySelectorAll('*').length)

test('a tool’s result of 1 MB: the page answers, and the download is the result', async (t) => {
  model.on('a long result', async ({ results }, answer) =>
    results.length === 0 ? answer.call('get_time', { timezone: 'Asia/Shanghai' }) : answer.text('It was long.'),
  )
  const result = Array.from({ length: 20_000 }, (_, n) => `line ${String(n).padStart(6, '0')} of a result, with 中文 and <b>signs</b>`).join('\n')
  assert.ok(Buffer.byteLength(result) > 1_000_000)
  const view = await browser.open(neta, { path: '/login' })
  await view.context.route(/\/api\/runs\/\d+\/tool-calls\/[^/]+$/, async (route) => {
    const answer = await route.fetch()
    return route.fulfill({ response: answer, json: { ...(await answer.json()), result } })
  })
  await view.context.route(/\/tool-calls\/[^/]+\?download=true$/, (route) =>
    route.fulfill({ contentType: 'text/plain; charset=utf-8', headers: { 'content-disposition': 'attachment; filename="result.txt"' }, body: result }),
  )
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('a long result')
  await ui.log.getByText('It was long.').waitFor()
  const began = Date.now()
  await ui.log.getByRole('button', { name: /Open get_time/ }).click()
  const drawer = view.page.getByRole('complementary', { name: 'Tool call' })
  await drawer.getByText('line 000000').first().waitFor()
  t.diagnostic(`shown after ${Date.now() - began} ms, ${await nodes(view.page)} nodes`)
  assert.ok((await nodes(view.page)) < 3000)
  await ui.box.fill('')
  await ui.box.pressSequentially('still typing')
  assert.equal(await ui.box.inputValue(), 'still typing')
  const [download] = await Promise.all([view.page.waitForEvent('download'), drawer.getByRole('button', { name: /Download/ }).or(drawer.getByRole('link', { name: /Download/ })).first().click()])
  assert.equal(await readFile(await download.path(), 'utf8'), result)
  await view.assertClean()
  await view.close()
})

test('a chat of 400 turns opens small, and scrolls back to its first turn', async (t) => {
  model.on('turn number', async ({ last }, answer) => answer.text(`Answer to ${last}.\n\n- one\n- two\n\nSome **more** text.`))
  const made = Date.now()
  const { sessionId } = await neta.call('POST', '/open/netaclaw/chat', { agentId: agent.id, message: 'turn number 1', wait: 30 })
  // The turns of a chat queue in order, so that they need not be waited for one by one.
  for (let n = 2; n <= 400; n += 1) {
    await neta.call('POST', '/open/netaclaw/chat', { agentId: agent.id, sessionId, message: `turn number ${n}`, wait: n % 10 === 0 ? 30 : 0 })
  }
  await ended(neta, sessionId)
  t.diagnostic(`made in ${Date.now() - made} ms`)
  const view = await browser.open(neta, { path: '/login' })
  const began = Date.now()
  await view.page.goto(`/chat/${sessionId}`)
  const log = view.page.getByRole('log', { name: 'Messages' })
  await log.getByText('Answer to turn number 400.').waitFor()
  t.diagnostic(`open after ${Date.now() - began} ms, ${await nodes(view.page)} nodes`)
  assert.ok((await nodes(view.page)) < 3000, `${await nodes(view.page)} nodes`)
  const first = log.getByText('turn number 1', { exact: true })
  const back = Date.now()
  await until(
    'the first turn is reached',
    async () => {
      await log.evaluate((el) => (el.scrollTop = 0))
      const earlier = log.getByRole('button', { name: 'Show earlier messages' })
      if (await earlier.isVisible().catch(() => false)) await earlier.click({ timeout: 1000 }).catch(() => {})
      return (await first.count()) > 0
    },
    60_000,
  )
  await first.scrollIntoViewIfNeeded()
  t.diagnostic(`back at the first turn after ${Date.now() - back} ms, ${await nodes(view.page)} nodes`)
  await view.assertClean()
  await view.close()
})

/** Markdown of about so many characters, with code, lists and tables. */
function markdown(length) {
  const parts = []
  for (let n = 0, size = 0; size < length; n += 1) {
    const part = `## Section ${n}\n\nA paragraph with **bold**, \`code\` and a [link](https://example.com/${n}); it goes on for a while so that it wraps.\n\n- first of ${n}\n- second of ${n}\n\n\`\`\`js\nfunction f${n}(a) {\n  return a + ${n}\n}\n\`\`\`\n\n| a | b |\n|---|---|\n| ${n} | x |\n\n`
    parts.push(part)
    size += part.length
  }
  return parts.join('')
}

/** Counts the elements that are made within the thread. */
const count = (page) =>
  page.evaluate(() => {
    window.made = 0
    const size = (node) => (node.nodeType === 1 ? 1 + node.querySelectorAll('*').length : 0)
    new MutationObserver((all) => {
      for (const { addedNodes } of all) for (const node of addedNodes) window.made += size(node)
    }).observe(document.querySelector('[role=log]'), { childList: true, subtree: true })
  })

test('N01: the work of rendering grows with the text, not with its square', async (t) => {
  const sizes = { 'stream 50': 50_000, 'stream 100': 100_000 }
  const made = {}
  const gates = {}
  for (const [trigger, length] of Object.entries(sizes)) {
    gates[trigger] = gate()
    model.on(trigger, async (_, answer) => {
      await answer.text('Begin.\n\n')
      await gates[trigger].opened
      const text = markdown(length)
      for (let at = 0; at < text.length; at += 200) {
        await answer.text(text.slice(at, at + 200))
        // Spread over many frames, as by a fast model.
        await new Promise((resolve) => setTimeout(resolve, 4))
      }
      await answer.text('\n\nThe very end.')
    })
  }
  for (const trigger of Object.keys(sizes)) {
    const view = await browser.open(neta, { path: '/login' })
    const ui = await newChat(view.page, 'Scripted')
    await view.context.newCDPSession(view.page).then((cdp) => cdp.send('Emulation.setCPUThrottlingRate', { rate: 2 }))
    const began = Date.now()
    await ui.send(trigger)
    await ui.log.getByText('Begin.').waitFor()
    await count(view.page)
    gates[trigger].open()
    await ui.log.getByText('The very end.').waitFor({ timeout: 60_000 })
    made[trigger] = await view.page.evaluate(() => ({ made: window.made, there: document.querySelector('[role=log]').querySelectorAll('*').length }))
    t.diagnostic(`${trigger}: ${Date.now() - began} ms, ${made[trigger].made} elements made, ${made[trigger].there} there`)
    const stored = await ended(neta, await ui.session())
    assert.ok(stored.content.length >= sizes[trigger])
    await view.assertClean()
    await view.close()
  }
  const [small, large] = Object.values(made)
  assert.ok(large.made <= small.made * 3, `${small.made} for half, ${large.made} for the whole`)
  assert.ok(large.made <= large.there * 6, `${large.made} made for ${large.there}`)
})

test('who scrolled up while an answer is written stays there, within 2 px', async () => {
  const half = gate()
  const rest = gate()
  model.on('scroll up', async (_, answer) => {
    await answer.text(markdown(8000))
    await answer.text('\n\nHalf.\n\n')
    await half.opened
    for (let n = 0; n < 60; n += 1) await answer.text(`${markdown(300)}`)
    await answer.text('\n\nAll of it.')
    await rest.opened
  })
  const view = await browser.open(neta, { path: '/login' })
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('scroll up')
  await ui.log.getByText('Half.').waitFor()
  await ui.log.hover()
  await view.page.mouse.wheel(0, -900)
  const mark = ui.log.getByRole('heading', { name: 'Section 15', exact: true })
  await mark.waitFor()
  const top = () => mark.evaluate((el) => el.getBoundingClientRect().top)
  let before = await top()
  await until('the wheel has come to rest', async () => {
    const now = await top()
    const still = now === before
    before = now
    return still
  })
  half.open()
  await ui.log.getByText('All of it.').waitFor({ state: 'attached' })
  assert.ok(Math.abs((await top()) - before) <= 2, `${before} became ${await top()}`)
  rest.open()
  await ended(neta, await ui.session())
  await view.page.getByRole('button', { name: /To the latest|new message/ }).waitFor()
  assert.ok(Math.abs((await top()) - before) <= 2)
  await view.assertClean()
  await view.close()
})

test('N03: 20 subagents write while one types: no letter is lost, and a frame has one update', async (t) => {
  const held = gate()
  const go = gate()
  model.on('twenty', async ({ last, results, tools }, answer) => {
    if (tools.includes('delegate_parallel')) {
      if (results.length > 0) return answer.text('All twenty are done.')
      for (const half of ['a', 'b']) {
        await answer.call('delegate_parallel', { tasks: Array.from({ length: 10 }, (_, n) => ({ goal: `twenty, ${half}${n}` })) })
      }
      return
    }
    await answer.text(`begin ${last} `)
    await go.opened
    for (let n = 0; n < 200; n += 1) {
      await answer.text(`word${n} `)
      if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 30))
    }
    await held.opened
  })
  const view = await browser.open(neta, { path: '/login' })
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('twenty')
  await ui.log.getByRole('button', { name: /^Running .*twenty, a0/ }).click()
  const drawer = view.page.getByRole('complementary', { name: 'Subagent' })
  await drawer.getByText('begin twenty, a0').waitFor()
  const writing = () => model.asked.filter(({ last, tools }) => last.includes('twenty, ') && !tools.includes('delegate_parallel'))
  await until('all twenty write', () => writing().length === 20)
  await view.page.evaluate(() => {
    window.updates = []
    let frame = 0
    const tick = () => {
      frame += 1
      requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
    const text = document.querySelector('aside .markdown, aside .text')
    new MutationObserver(() => window.updates.push(frame)).observe(text, { childList: true, subtree: true, characterData: true })
  })
  go.open()
  const typed = 'the quick brown fox jumps over the lazy dog, 敏捷的棕色狐狸, and nothing of it may be lost'
  await ui.box.focus()
  const began = Date.now()
  await view.page.keyboard.type(typed)
  t.diagnostic(`typed ${typed.length} characters in ${Date.now() - began} ms`)
  assert.equal(await ui.box.inputValue(), typed)
  await drawer.getByText('word199').waitFor()
  const updates = await view.page.evaluate(() => window.updates)
  t.diagnostic(`${updates.length} updates of the drawer's text`)
  assert.equal(new Set(updates).size, updates.length, 'one update a frame at most')
  held.open()
  await ui.log.getByText('All twenty are done.').waitFor()
  await view.assertClean()
  await view.close()
})
