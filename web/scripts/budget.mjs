// What each page loads at first, in gzip: script and style of its chunk and of all that this imports.
import { readFileSync, statSync } from 'node:fs'

const dist = new URL('../dist/', import.meta.url)
const manifest = JSON.parse(readFileSync(new URL('manifest.json', dist), 'utf8'))
const LIMITS = { chat: 190_000, other: 270_000 }

const size = (file) => statSync(new URL(`${file}.gz`, dist)).size

/** The files that a chunk needs before it can show anything. */
function needed(key, seen = new Set()) {
  if (seen.has(key)) return seen
  seen.add(key)
  for (const inner of manifest[key].imports ?? []) needed(inner, seen)
  return seen
}
function bytes(keys) {
  const files = new Set()
  for (const key of keys) {
    files.add(manifest[key].file)
    for (const css of manifest[key].css ?? []) files.add(css)
  }
  return [...files].reduce((sum, file) => sum + size(file), 0)
}

const shell = needed('index.html')
// One language is loaded besides; both are about equally large.
needed('src/i18n/zh/index.ts', shell)
let over = 0
for (const key of Object.keys(manifest).filter((k) => /\/views\/[^/]+\.vue$/.test(k)).sort()) {
  const total = bytes(needed(key, new Set(shell)))
  const limit = key.includes('/chat/') ? LIMITS.chat : LIMITS.other
  const verdict = total <= limit ? 'ok' : 'OVER'
  if (total > limit) over += 1
  console.log(`${verdict.padEnd(5)} ${(total / 1000).toFixed(1).padStart(6)} KB of ${limit / 1000} KB  ${key}`)
}
process.exit(over > 0 ? 1 : 0)
