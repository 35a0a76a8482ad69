// A model that does what a test says, as an OpenAI-compatible server. It counts what it is asked.
import { createServer } from 'node:http'

/** The text of a message, whether it comes as text or as parts. */
const textOf = (message) =>
  typeof message.content === 'string' ? message.content : (message.content ?? []).map((part) => part.text ?? '').join('')

/**
 * `script(conversation, answer)` is called for each request. `conversation` is `{ last, messages, tools,
 * results }` (the last user's text; tool results since then). `answer` has `text(s)`, `thinking(s)`,
 * `call(name, arguments)`, `fail(status)`, `end()`; what a script leaves open is ended for it.
 */
export async function startModel() {
  const scripts = []
  const asked = []
  const open = new Set()

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    const { messages, tools = [] } = JSON.parse(body)
    const lastUser = messages.findLastIndex((message) => message.role === 'user')
    const conversation = {
      messages,
      tools: tools.map((tool) => tool.function.name),
      last: textOf(messages[lastUser]),
      results: messages.slice(lastUser + 1).filter((message) => message.role === 'tool').map(textOf),
    }
    asked.push(conversation)
    open.add(response)
    response.on('close', () => open.delete(response))
    await play(conversation, answerTo(response))
  })

  async function play(conversation, answer) {
    const script = scripts.findLast(({ when }) => when(conversation))
    try {
      if (script) await script.then(conversation, answer)
      else await answer.text(`You said: ${conversation.last}`)
    } catch (error) {
      if (!answer.isGone()) throw error
    }
    answer.end()
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    asked,
    /** `when` is a text that the last message contains, or a function of the conversation. */
    on(when, then) {
      scripts.push({ when: typeof when === 'function' ? when : (conversation) => conversation.last.includes(when), then })
    },
    stop() {
      for (const response of open) response.destroy()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

function answerTo(response) {
  let begun = false
  let calls = 0
  let ended = false
  const gone = () => response.destroyed
  const send = (delta, finish = null) =>
    new Promise((resolve, reject) => {
      if (gone() || ended) return reject(new Error('the reader is gone'))
      if (!begun) response.writeHead(200, { 'content-type': 'text/event-stream' })
      begun = true
      const chunk = { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] }
      response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => resolve())
    })
  return {
    isGone: gone,
    text: (content) => send({ content }),
    thinking: (reasoning_content) => send({ reasoning_content }),
    call(name, args) {
      const index = calls++
      const call = { index, id: `call_${index}_${Date.now()}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }
      return send({ tool_calls: [call] })
    },
    fail(status, message = 'scripted failure') {
      if (begun || gone()) return
      begun = ended = true
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
    },
    end() {
      if (ended || gone()) return
      if (!begun) response.writeHead(200, { 'content-type': 'text/event-stream' })
      ended = true
      const done = { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: calls > 0 ? 'tool_calls' : 'stop' }] }
      const usage = { id: 'c', object: 'chat.completion.chunk', choices: [], usage: { prompt_tokens: 100, completion_tokens: 20 } }
      response.end(`data: ${JSON.stringify(done)}\n\ndata: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`)
    },
  }
}

/** A gate that a script waits at until the test opens it. */
export function gate() {
  let open
  const opened = new Promise((resolve) => (open = resolve))
  return { opened, open }
}
