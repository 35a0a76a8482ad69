// The types that the interface is built with are those of the server.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startNeta } from './harness/neta.mjs'

let neta
before(async () => (neta = await startNeta()))
after(() => neta.stop())

test('schema.d.ts is what the server’s document gives', async () => {
  const script = fileURLToPath(new URL('../scripts/types.mjs', import.meta.url))
  const { stderr } = await promisify(execFile)(process.execPath, [script, neta.url, '--check'])
  assert.equal(stderr, '')
})
