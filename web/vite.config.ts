// Builds the web interface. What it writes to dist/ is embedded in the binary.
import { gzipSync } from 'node:zlib'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import vue from '@vitejs/plugin-vue'
import Components from 'unplugin-vue-components/vite'
import { ElementPlusResolver } from 'unplugin-vue-components/resolvers'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { icons } from './scripts/icons.mjs'
import { licences } from './scripts/licences.mjs'

const COMPRESSIBLE = /\.(?:html|js|css|svg|json|webmanifest)$/

/** Beside every file that shrinks, X.gz: the server sends it as it is. */
function compressed(): Plugin {
  let folder = ''
  const walk = (dir: string): void => {
    for (const name of readdirSync(dir)) {
      const path = join(dir, name)
      if (statSync(path).isDirectory()) walk(path)
      else if (COMPRESSIBLE.test(name)) writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
    }
  }
  return {
    name: 'neta-compressed',
    apply: 'build',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle: () => walk(folder),
  }
}

const server = process.env['NETA_URL'] ?? 'http://127.0.0.1:8420'

export default defineConfig({
  plugins: [
    vue(),
    Components({ dirs: [], dts: false, resolvers: [ElementPlusResolver({ importStyle: 'css', directives: true })] }),
    icons(),
    licences(),
    compressed(),
  ],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  define: {
    __VUE_OPTIONS_API__: true,
    __VUE_PROD_DEVTOOLS__: false,
    __VUE_I18N_FULL_INSTALL__: false,
    __VUE_I18N_LEGACY_API__: false,
    __INTLIFY_PROD_DEVTOOLS__: false,
  },
  build: { target: 'es2022', assetsInlineLimit: 0, manifest: 'manifest.json', modulePreload: { polyfill: false } },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/open', '/ws', '/docs', '/openapi.json', '/healthz'].map((path) => [
        path,
        { target: server, ws: path === '/ws', changeOrigin: false },
      ]),
    ),
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.ts'],
    server: { deps: { inline: ['element-plus'] } },
    setupFiles: ['./src/testing/setup.ts'],
  },
})
