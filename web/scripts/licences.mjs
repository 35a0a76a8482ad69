// The packages whose code is in what is shipped, with their licences, as the module `virtual:licences`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const NAME = 'virtual:licences'

function textOf(folder) {
  if (!existsSync(folder)) return undefined
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.(md|txt))?$/i.test(name))
  return file && readFileSync(join(folder, file), 'utf8').trim()
}

/** Those that `package-lock.json` does not mark as of development only. */
function shipped(root) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(lock.packages)
    .filter(([path, entry]) => path && !entry.dev && !entry.optional && !path.includes('/@types/'))
    .map(([path, entry]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version,
      licence: entry.license ?? '?',
      text: textOf(join(root, path)),
    }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

export function licences() {
  let root = process.cwd()
  return {
    name: 'neta-licences',
    configResolved: (config) => {
      root = config.root
    },
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) => (id === `\0${NAME}` ? `export const licences = ${JSON.stringify(shipped(root))}` : undefined),
  }
}
