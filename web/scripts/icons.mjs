// Each icon as a module of its own. The package is one module, and a module goes whole into one chunk: the
// first page would load the icons of all pages.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const PACKAGE = '@element-plus/icons-vue'
const PREFIX = 'virtual:icon/'
const IMPORT = /import\s*\{([^}]*)\}\s*from\s*["']@element-plus\/icons-vue["'];?/g

/** The code of each icon by its exported name. */
function modules() {
  const require = createRequire(import.meta.url)
  const text = readFileSync(join(dirname(require.resolve(PACKAGE)), 'index.js'), 'utf8')
  const [body, list] = text.split(/\nexport \{/)
  const blocks = body.split(/^\/\/ src\/components\/.*\.vue$/m).slice(1)
  const byVariable = new Map(blocks.map((block) => [/(\w+_default) = /.exec(block)?.[1], block]))
  const names = [...list.matchAll(/(\w+_default) as (\w+)/g)]
  return new Map(names.map(([, variable, name]) => [name, `${byVariable.get(variable)}\nexport default ${variable}\n`]))
}

export function icons() {
  let known
  return {
    name: 'neta-icons',
    apply: 'build',
    enforce: 'post',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined
      known ??= modules()
      return known.get(id.slice(PREFIX.length + 1))
    },
    transform(code, id) {
      if (id.startsWith('\0') || !code.includes(PACKAGE)) return undefined
      const parted = code.replace(IMPORT, (_all, list) =>
        list
          .split(',')
          .map((part) => part.trim().split(/\s+as\s+/))
          .filter(([name]) => name)
          .map(([name, local]) => `import ${local ?? name} from '${PREFIX}${name}';`)
          .join(''),
      )
      return { code: parted, map: null }
    },
  }
}
