#!/usr/bin/env bash
# All that must hold before a change lands: format, lints, every test, the web interface in a browser,
# and the clients of others.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

step "format"
cargo fmt --all --check

step "web: build, types, sizes, unit tests"
scripts/web.sh
(
  cd web
  npm run --silent check
  npm run --silent budget
  npm run --silent test
)

step "lints"
cargo clippy --locked --workspace --all-targets --features web -- -D warnings

step "the binary as it is shipped, without what tests add, and without the web interface"
cargo clippy --locked --package neta --bin neta -- -D warnings

step "documentation tests"
if grep -rqE '^\s*//[/!] ```$' --include='*.rs' shared api worker src; then
  cargo test --locked --workspace --features web --doc
else
  echo "skipped: no documentation holds code"
fi

step "tests"
if cargo nextest --version >/dev/null 2>&1; then
  cargo nextest run --locked --workspace --features web --no-fail-fast
else
  echo "cargo-nextest is not installed: running the same tests with cargo test"
  cargo test --locked --workspace --features web --no-fail-fast --lib --bins --tests
fi

step "the web interface in a browser"
scripts/browser.sh

step "clients of others"
scripts/clients.sh
