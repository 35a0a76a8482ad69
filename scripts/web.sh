#!/usr/bin/env bash
# Builds the web interface into web/dist, which the feature `web` embeds in the binary. Does nothing
# when nothing changed. `scripts/web.sh check` installs what its tests need, and only that.
set -euo pipefail
cd "$(dirname "$0")/../web"

say() { echo "web: $*" >&2; }

node_is_new_enough() {
  node -e 'const [major, minor] = process.versions.node.split(".").map(Number)
    process.exit(major > 20 || (major === 20 && minor >= 19) ? 0 : 1)' 2>/dev/null && npm --version >/dev/null 2>&1
}

if ! node_is_new_enough && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! command -v node >/dev/null; then
  say "installing nodejs and npm"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends nodejs npm; } >&2 || true
fi
node_is_new_enough || {
  say "missing: Node 20.19 or newer with npm (https://nodejs.org). Without the web interface: make run WEB=off"
  exit 1
}

# What a folder was made from; it is made anew when that changes.
stamp() { sha256sum | cut -d' ' -f1; }

modules=$(cat package.json package-lock.json .npmrc <(node --version) | stamp)
if [ "$(cat node_modules/.made-from 2>/dev/null)" != "$modules" ]; then
  say "installing packages"
  npm ci --silent --ignore-scripts
  echo "$modules" >node_modules/.made-from
fi
[ "${1:-}" != check ] || exit 0

sources=$({ find src public -type f ! -name '*.test.ts' -print0 | sort -z | xargs -0 sha256sum
  cat package-lock.json index.html vite.config.ts; } | stamp)
if [ "$(cat node_modules/.dist-from 2>/dev/null)" != "$sources" ] || [ ! -f dist/index.html ]; then
  say "building"
  npx --no-install vite build --logLevel warn
  echo "$sources" >node_modules/.dist-from
fi
