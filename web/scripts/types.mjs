// Writes src/api/schema.d.ts from a running Neta's OpenAPI document, or says that it is out of date.
//   npm run types -- http://127.0.0.1:8420 [--check]
import { readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'

const [url = 'http://127.0.0.1:8420', mode] = process.argv.slice(2)
const file = new URL('../src/api/schema.d.ts', import.meta.url)
const head = '// Generated from the OpenAPI document by `npm run types`: not to be edited.\n\n'
const text = head + astToString(await openapiTS(new URL('/openapi.json', url)))

if (mode !== '--check') {
  await writeFile(file, text)
} else if (text !== (await readFile(file, 'utf8').catch(() => ''))) {
  console.error('web/src/api/schema.d.ts is not what the server says: npm run types -- URL, and commit it')
  process.exit(1)
}
