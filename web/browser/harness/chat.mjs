// The chat page as a person uses it: by what it says, not by how it is made.

/** English names of what is on the page. */
export function chat(page) {
  const log = page.getByRole('log', { name: 'Messages' })
  return {
    log,
    box: page.getByRole('textbox', { name: 'Message', exact: true }),
    answers: log.getByRole('article'),
    async send(text) {
      await this.box.fill(text)
      await this.box.press('Enter')
    },
    /** The text of the last answer, as it stands. */
    async lastAnswer() {
      return (await this.answers.last().innerText()).replace(/\s+/g, ' ')
    },
    /** The session that the page shows, once it has one. */
    async session() {
      await page.waitForURL(/\/chat\/[0-9a-f-]{36}/)
      return page.url().match(/\/chat\/([0-9a-f-]{36})/)[1]
    },
    stop: page.getByRole('button', { name: 'Stop', exact: true }),
    alerts: page.getByRole('alert'),
  }
}

/** A new chat with the agent of this name. */
export async function newChat(page, agent) {
  await page.goto('/chat')
  await page.getByTitle('Choose an agent').click()
  await page.getByRole('option', { name: agent }).click()
  return chat(page)
}

/** Waits for something that the server knows; asked again until it holds. */
export async function until(what, holds, patience = 30_000) {
  const end = Date.now() + patience
  for (;;) {
    const value = await holds()
    if (value) return value
    if (Date.now() > end) throw new Error(`it did not happen: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** The stored messages of a session; none before its first one is accepted. */
export async function messages(neta, session) {
  const page = await neta.call('GET', `/api/sessions/${session}/messages?limit=200`).catch((error) => {
    if (error.message.includes('404')) return { items: [] }
    throw error
  })
  return page.items
}

/** The session's last answer, once it has ended. */
export function ended(neta, session) {
  return until('the answer ends', async () => {
    const last = (await messages(neta, session)).findLast((message) => message.role === 'assistant')
    return last && last.status !== 'pending' ? last : undefined
  })
}

/**
 * Stands between the page and its sockets. `cut()` ends them and lets none through until `restore()`.
 * To be made before the page is opened.
 */
export async function socketGate(context) {
  const sockets = new Set()
  let open = true
  let tried = 0
  await context.routeWebSocket(/\/ws\/netaclaw/, (socket) => {
    tried += 1
    if (!open) return socket.close({ code: 1013 })
    sockets.add(socket)
    socket.connectToServer()
  })
  return {
    tried: () => tried,
    async cut() {
      open = false
      await Promise.all([...sockets].map((socket) => socket.close({ code: 1013 }).catch(() => {})))
      sockets.clear()
    },
    restore() {
      open = true
    },
  }
}
