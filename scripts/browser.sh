#!/usr/bin/env bash
# The web interface in Debian's Chromium, against a real Neta; the types that it was built with are
# those of the server. `scripts/browser.sh FILE...` runs some of web/browser/*.test.mjs.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { echo "browser: $*" >&2; }

export CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
if [ -z "$CHROMIUM" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  say "installing chromium"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium; } >&2
  CHROMIUM=$(command -v chromium || true)
fi
[ -n "$CHROMIUM" ] || {
  say "missing: Chromium (Debian: apt-get install chromium), or its path in CHROMIUM"
  exit 1
}

scripts/web.sh
if [ -z "${NETA_BIN:-}" ]; then
  cargo build --locked --package neta --bin neta --features web
  NETA_BIN=$(cd "${CARGO_TARGET_DIR:-target}" && pwd)/debug/neta
fi
export NETA_BIN

cd web
files=("$@")
[ ${#files[@]} -gt 0 ] || files=(browser/*.test.mjs)
node --test --test-concurrency="${BROWSER_JOBS:-2}" --test-reporter="${BROWSER_REPORTER:-spec}" "${files[@]}"
