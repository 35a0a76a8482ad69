// Whatever a model, a tool or a person wrote, none of it runs in the reader's page (L09).
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBrowser } from './harness/browser.mjs'
import { ended, newChat, until } from './harness/chat.mjs'
import { startModel } from './harness/model.mjs'
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

const RUN = 'window.ran=(window.ran||0)+1'
const base64 = (text) => Buffer.from(text).toString('base64')
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script></svg>`
/** Short enough for a name. */
const SHORT = [`<img src=x onerror=${RUN}>`, `<svg onload=${RUN}>`]
const VECTORS = [
  ...SHORT,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<script>${RUN}</script>`,
  `<details open ontoggle=${RUN}>`,
  `<a href="javascript:${RUN}">raw link</a>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${RUN}>`,
  `[by script](javascript:${RUN})`,
  `[by entity](javascript&colon;${RUN})`,
  `[by case](JaVaScRiPt:${RUN})`,
  `[by data](data:text/html;base64,${base64(`<script>opener.${RUN}</script>`)})`,
  `[by basic](vbscript:${RUN})`,
  `![drawing](data:image/svg+xml;base64,${base64(SVG)})`,
  `![by script](javascript:${RUN})`,
  `![remote](https://tracker.example/pixel.png)`,
  `\`\`\`html\n<script>${RUN}</script>\n<img src=x onerror=${RUN}>\n\`\`\``,
  `\`\`\`"><img src=x onerror=${RUN}>\ncode\n\`\`\``,
  `\`\`\`mermaid\ngraph TD\nA["<img src=x onerror=${RUN}>"] --> B\nclick A "javascript:${RUN}"\nclick B call ${RUN}\n\`\`\``,
  `| <script>${RUN}</script> | b |\n|---|---|\n| <img src=x onerror=${RUN}> | [x](javascript:${RUN}) |`,
]
const ALL = VECTORS.join('\n\n')

/** A page that counts what it asks of other servers. */
async function watched(options) {
  const view = await browser.open(neta, options)
  const foreign = []
  await view.context.route(
    (url) => url.protocol.startsWith('http') && url.origin !== neta.url,
    (route) => {
      foreign.push(route.request().url())
      return route.fulfill({ contentType: 'text/html', body: '<p>elsewhere</p>' })
    },
  )
  return { ...view, foreign }
}

/** Nothing ran, nothing was asked of another server, and nothing live is in the document. */
async function assertInert(view) {
  const found = await view.page.evaluate(() => {
    const wrong = []
    for (const element of document.body.querySelectorAll('*')) {
      if (['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'FORM'].includes(element.tagName) && element.closest('[role=log], main')) {
        if (element.tagName !== 'FORM') wrong.push(element.outerHTML)
      }
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on') || /^\s*(?:javascript|vbscript):/i.test(value)) wrong.push(`${element.tagName} ${name}=${value}`)
        if (['src', 'href'].includes(name) && /^\s*data:(?!image\/(?:png|jpeg|gif|webp);)/i.test(value)) wrong.push(`${element.tagName} ${name}=${value}`)
      }
    }
    return { ran: window.ran, wrong }
  })
  assert.equal(found.ran, undefined, 'a script of the text ran')
  assert.deepEqual(found.wrong, [])
  assert.deepEqual(view.foreign, [], 'another server was asked')
  await view.assertClean()
}

test('L09: an answer and its thoughts show all vectors as text, streamed and after a reload', async () => {
  model.on('all vectors', async (_, answer) => {
    await answer.thinking(ALL)
    // In pieces that cut tags and links in two.
    for (let at = 0; at < ALL.length; at += 37) await answer.text(ALL.slice(at, at + 37))
    await answer.text('\n\nThat was all.')
  })
  const view = await watched()
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('all vectors')
  await ended(neta, await ui.session())
  for (const round of ['streamed', 'stored']) {
    await ui.log.getByText('That was all.').waitFor()
    const thoughts = ui.log.getByRole('button', { name: /^Thoughts/ })
    if ((await thoughts.getAttribute('aria-expanded')) !== 'true') await thoughts.click()
    await ui.log.getByText('by script', { exact: false }).first().waitFor()
    await view.shot(`safety-${round}`)
    assert.match(await ui.log.innerText(), /<img src=x onerror=/, 'it is shown as text')
    await assertInert(view)
    if (round === 'streamed') await view.page.reload()
  }
  await view.close()
})

test('L09: links are followed only where they lead to a page, in one of its own', async () => {
  model.on('some links', async (_, answer) =>
    answer.text(`${ALL}\n\n[a page](https://page.example/a) and ![a picture](https://picture.example/p.png)`),
  )
  const view = await watched()
  const ui = await newChat(view.page, 'Scripted')
  await ui.send('some links')
  await ui.log.getByRole('link', { name: 'a page' }).waitFor()
  await ended(neta, await ui.session())
  await assertInert(view)
  const links = await ui.log.locator('.markdown a, article a').evaluateAll((all) =>
    all.filter((a) => new URL(a.href).origin !== location.origin).map((a) => ({ href: a.href, target: a.target, rel: a.rel })),
  )
  assert.ok(links.length >= 2)
  for (const { href, target, rel } of links) {
    assert.match(href, /^(?:https?|mailto):/)
    assert.equal(target, '_blank')
    assert.match(rel, /noopener/)
  }
  const [opened] = await Promise.all([view.context.waitForEvent('page'), ui.log.getByRole('link', { name: /a picture/ }).click()])
  await opened.waitForLoadState()
  assert.deepEqual(view.foreign.filter((url) => !url.includes('favicon')), ['https://picture.example/p.png'])
  assert.equal(await opened.evaluate(() => window.opener), null)
  await view.close()
})

test('L09: plans, tool calls and their results, subagents, and their drawers', async () => {
  const [img, svg] = SHORT
  model.on('vectors everywhere', async ({ results, tools }, answer) => {
    if (!tools.includes('delegate_parallel')) return answer.text(`${img} ${ALL}`)
    if (results.length === 0) {
      await answer.call('todo_write', { items: [{ content: `${img} ${svg}`, status: 'in_progress' }] })
      return answer.call('get_time', { timezone: img })
    }
    if (results.length === 2) return answer.call('delegate_parallel', { tasks: [{ goal: `vectors everywhere ${img} ${svg}`, context: ALL }] })
    return answer.text('Everything is shown.')
  })
  const view = await watched()
  const ui = await newChat(view.page, 'Scripted')
  await ui.send(`vectors everywhere ${ALL}`)
  const session = await ui.session()
  const stored = await ended(neta, session)
  assert.equal(stored.status, 'completed')
  await ui.log.getByText('Everything is shown.').waitFor()

  const tool = ui.log.getByRole('button', { name: /^get_time/ })
  await tool.click()
  await ui.log.getByText('Unknown time zone').waitFor()
  await ui.log.getByRole('button', { name: 'Show all' }).click()
  const closed = ui.log.locator('article .head button[aria-expanded=false]')
  while ((await closed.count()) > 0) await closed.first().click()
  await view.shot('safety-cards')
  await assertInert(view)

  await ui.log.getByRole('button', { name: /^Completed .*vectors everywhere/ }).click()
  const drawer = view.page.getByRole('complementary', { name: 'Subagent' })
  await drawer.getByText('by basic').first().waitFor()
  await view.shot('safety-drawer')
  await assertInert(view)
  await view.close()
})

test('L09: names, descriptions, prompts and titles', async () => {
  const [img, svg] = SHORT
  const agent = await neta.agent(model.url, {
    name: img,
    description: `${svg} ${ALL}`.slice(0, 400),
    systemPrompt: ALL,
    icon: '<b>',
    starters: [img],
  })
  const { sessionId } = await neta.call('POST', '/open/netaclaw/chat', { agentId: agent.id, message: `${img} ${svg}`, wait: 30 })
  await neta.call('PATCH', `/api/sessions/${sessionId}`, { title: `${img} ${svg}` })
  const view = await watched()
  for (const path of ['/agents', `/agents/${agent.id}`, `/agents/${agent.id}?tab=prompt`, `/chat/${sessionId}`, '/settings/models']) {
    await view.page.goto(path)
    await until(`the name is shown on ${path}`, () =>
      view.page.evaluate(() =>
        [document.body.innerText, ...[...document.querySelectorAll('input, textarea')].map((field) => field.value)].some((text) =>
          text.includes('<img src=x onerror='),
        ),
      ),
    )
    await view.shot(`safety-${path.replace(/\W+/g, '-').slice(1, 24)}`)
    await assertInert(view)
  }
  await view.page.goto('/chat')
  await view.page.getByTitle('Choose an agent').click()
  await view.page.getByRole('option').filter({ hasText: 'onerror' }).click()
  await view.page.getByRole('button', { name: img }).first().waitFor()
  await assertInert(view)
  await view.page.keyboard.press('Control+k')
  await view.page.getByRole('combobox', { name: 'Find or do' }).or(view.page.getByRole('dialog').getByRole('combobox')).first().fill('<img')
  await view.page.getByRole('option').filter({ hasText: 'onerror' }).first().waitFor()
  await view.shot('safety-palette')
  await assertInert(view)
  await view.close()
})
