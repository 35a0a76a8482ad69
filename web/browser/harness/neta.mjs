// A Neta of a test's own: a process, its folder, and calls to its API as the operator.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const binary = process.env.NETA_BIN ?? fileURLToPath(new URL('../../../target/debug/neta', import.meta.url))
const dist = fileURLToPath(new URL('../../dist', import.meta.url))
const token = 'browser-tests-token-0123456789abcdef'
export const ADMIN = { name: 'admin', password: 'a long password 1' }

const freePort = () =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })

/** `users: false` leaves it as on the first day. `env` adds settings. */
export async function startNeta({ users = true, env = {}, host = '127.0.0.1', port = undefined } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'neta-browser-'))
  port ??= await freePort()
  const settings = {
    NETA_ADMIN_TOKEN: token,
    NETA_WEB_DIR: dist,
    NETA_LEASE_SECONDS: '3',
    NETA_RENEW_SECONDS: '1',
    NETA_SWEEP_SECONDS: '1',
    NETA_RATE_ADDRESS_PER_MINUTE: '0',
    ...(users && { NETA_ADMIN_USER: ADMIN.name, NETA_ADMIN_PASSWORD: ADMIN.password }),
    ...env,
  }
  let child
  let output = ''

  async function start() {
    child = spawn(binary, ['up', '--data', folder, '--listen', `${host}:${port}`], {
      env: { PATH: process.env.PATH, HOME: folder, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const started = child
    const up = new Promise((resolve, reject) => {
      const read = (piece) => {
        output += piece
        if (output.includes(' is up: ')) resolve()
      }
      started.stdout.on('data', read)
      started.stderr.on('data', read)
      started.on('exit', (code) => reject(new Error(`neta ended with ${code}: ${output}`)))
    })
    output = ''
    await up
  }

  async function kill(signal = 'SIGKILL') {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode !== null || !child.kill(signal)) return
    await ended
  }

  const url = `http://127.0.0.1:${port}`
  async function call(method, path, body) {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    const answer = text ? JSON.parse(text) : undefined
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return answer
  }

  await start()
  return {
    url,
    port,
    call,
    kill,
    start,
    output: () => output,
    /** A model at `address` and an agent with it; the agent's values may be given. */
    async agent(address, spec = {}) {
      const name = spec.name ?? 'Scripted'
      const model = await call('POST', '/api/models', {
        name: `${name} model`,
        provider: 'openai',
        modelName: 'scripted',
        baseUrl: address,
        apiKey: 'test',
        inputPrice: 1,
        outputPrice: 2,
      })
      return call('POST', '/api/agents', { name, systemPrompt: 'Answer.', modelId: model.id, ...spec })
    },
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
