// Debian's Chromium, and pages in it that are signed in, watched for violations of the content policy,
// for errors, and for texts that were not translated.
import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'
import { ADMIN } from './neta.mjs'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** How long a page may take for anything that a test waits for, on a busy machine. */
const PATIENCE = Number(process.env.PATIENCE ?? 30_000)
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1440, height: 900 }
const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export async function startBrowser(extraFlags = []) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [...FLAGS, ...extraFlags],
  })
  return {
    browser,
    stop: () => browser.close(),
    open: (neta, options) => open(browser, neta, options),
  }
}

/** A page of its own context. `user: null` is not signed in. */
async function open(browser, neta, options = {}) {
  const { user = ADMIN, locale = 'en', theme = 'light', phone = false, path = '/', reducedMotion = 'no-preference' } = options
  const origin = options.origin ?? neta.url
  const context = await browser.newContext({
    viewport: phone ? PHONE : DESKTOP,
    hasTouch: phone,
    locale: locale === 'zh' ? 'zh-CN' : 'en-GB',
    reducedMotion,
    baseURL: origin,
  })
  await context.addInitScript(
    ([language, look]) => {
      if (!localStorage.getItem('neta.locale')) localStorage.setItem('neta.locale', language)
      if (!localStorage.getItem('neta.theme')) localStorage.setItem('neta.theme', look)
      window.violations = []
      document.addEventListener('securitypolicyviolation', (event) =>
        window.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
      )
    },
    [locale, theme],
  )
  if (user) {
    const answer = await context.request.post(`${neta.url}/api/login`, { data: user, headers: { origin: neta.url } })
    assert.equal(answer.status(), 200, await answer.text())
    const cookies = await context.cookies()
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, domain: new URL(origin).hostname })))
  }
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  const errors = []
  page.on('pageerror', (error) => errors.push(String(error.stack ?? error)))
  await page.goto(path)
  return {
    context,
    page,
    errors,
    /** Nothing of the content policy was violated, no script failed, no raw key of a text is visible. */
    async assertClean() {
      assert.deepEqual(await page.evaluate(() => window.violations), [], 'violations of the content policy')
      assert.deepEqual(errors, [], 'errors of scripts')
      const text = await page.evaluate(() => document.body.innerText)
      assert.doesNotMatch(text, /\b(?:states|actions|problems|chat|turn|agents|settings|entry|shell|inbox|connection)\.[a-z]\w+/, 'a key instead of its text')
    },
    /** axe finds nothing. */
    async assertAccessible(where = page.url()) {
      // Evaluated by the debugger, so that the page's content policy need not allow it.
      await page.evaluate(axeSource)
      const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
      const lines = found.violations.map((v) => `${v.id} (${v.impact}): ${v.nodes.map((n) => `${n.target.join(' ')} ${n.failureSummary}`).join('\n   ')}`)
      assert.deepEqual(lines, [], `axe on ${where}`)
    },
    /** Kept in the folder SHOTS, if that is set, to be looked at. */
    async shot(name) {
      if (!process.env.SHOTS) return
      await mkdir(process.env.SHOTS, { recursive: true })
      await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
    },
    close: () => context.close(),
  }
}
