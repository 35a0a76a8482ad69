#!/usr/bin/env bash
# Checks what a build needs and says exactly what is missing. On Debian as root it installs the C
# tools that SQLite and ring are built with.
set -euo pipefail

need=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$(dirname "$0")/../Cargo.toml")

missing() {
  echo "missing: $*" >&2
  exit 1
}

command -v cargo >/dev/null && command -v rustc >/dev/null ||
  missing "cargo and rustc $need or newer (https://rustup.rs)"
have=$(rustc --version | cut -d' ' -f2)
[ "$(printf '%s\n%s\n' "$need" "${have%%-*}" | sort -V | head -n1)" = "$need" ] ||
  missing "rustc $need or newer; this one is $have (rustup update)"

if ! command -v cc >/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    echo "installing build-essential" >&2
    apt-get update -qq >&2 && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y build-essential >&2
  else
    missing "a C compiler as cc (Debian: apt-get install build-essential)"
  fi
fi

# `test` also needs rustfmt and clippy.
if [ "${1:-}" = test ]; then
  cargo fmt --version >/dev/null 2>&1 || missing "rustfmt (rustup component add rustfmt)"
  cargo clippy --version >/dev/null 2>&1 || missing "clippy (rustup component add clippy)"
fi
