#!/usr/bin/env bash
# The fault tests alone, in the form that NETA_DRILL names.
set -euo pipefail
cd "$(dirname "$0")/.."

if cargo nextest --version >/dev/null 2>&1; then
  cargo nextest run --locked --package neta --test it --profile drill --no-fail-fast faults
else
  cargo test --locked --package neta --test it --no-fail-fast faults -- --test-threads=1
fi
