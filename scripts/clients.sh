#!/usr/bin/env bash
# The real clients of others against a running Neta, and schemathesis against its OpenAPI document.
#
# Versions are pinned in tests/clients/*/; what is installed is kept beside the build and used again
# as long as they stand. CLIENTS_ONLY=python|node|document runs one of the three.
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
mkdir -p "$target/clients"
cache=$(cd "$target/clients" && pwd)
tests=$PWD/tests/clients
servers=()
dir=''

say() { echo "clients: $*" >&2; }

fail() {
  say "$*"
  exit 1
}

stop() {
  local status=$? server
  trap - EXIT
  for server in "${servers[@]}"; do
    kill "$server" 2>/dev/null && wait "$server" 2>/dev/null || true
  done
  if [ "$status" != 0 ] && [ -n "$dir" ]; then
    say "logs of the servers are kept in $dir"
  else
    rm -rf "$dir"
  fi
  exit "$status"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

wanted() { [ -z "${CLIENTS_ONLY:-}" ] || [ "$CLIENTS_ONLY" = "$1" ]; }

apt_install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  say "installing $*"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@"; } >&2
}

# A folder that holds exactly what these files name: made anew when they change.
fresh() { # FOLDER FILE...
  local folder=$1 stamp
  shift
  stamp=$(cat "$@" | sha256sum)
  [ "$(cat "$folder/.stamp" 2>/dev/null)" != "$stamp" ] || return 1
  rm -rf "$folder"
  mkdir -p "$folder"
  echo "$stamp" >"$folder/.stamp.new"
}

done_with() { mv "$1/.stamp.new" "$1/.stamp"; }

install_python() {
  local has='import ensurepip, venv'
  python3 -c "$has" 2>/dev/null || { apt_install python3 python3-venv && python3 -c "$has"; } ||
    fail "missing: Python with venv (Debian: apt-get install python3-venv)"
  if fresh "$cache/python" "$tests/python/requirements.txt" <(python3 --version); then
    say "installing Python's clients"
    python3 -m venv "$cache/python/venv"
    "$cache/python/venv/bin/pip" install -q --disable-pip-version-check -r "$tests/python/requirements.txt"
    done_with "$cache/python"
  fi
}

install_node() {
  local has='process.exit(Number(process.versions.node.split(".")[0]) >= 18 ? 0 : 1)'
  node -e "$has" 2>/dev/null && npm --version >/dev/null 2>&1 || { apt_install nodejs npm && node -e "$has"; } ||
    fail "missing: Node 18 or newer with npm (Debian: apt-get install nodejs npm)"
  if fresh "$cache/node" "$tests/node/package-lock.json" "$tests/node/package.json" <(node --version); then
    say "installing Node's clients"
    cp "$tests/node/package.json" "$tests/node/package-lock.json" "$tests/node/.npmrc" "$cache/node/"
    (cd "$cache/node" && npm ci --silent --no-audit --no-fund --ignore-scripts)
    done_with "$cache/node"
  fi
}

open_port() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Starts a Neta of its own, with the demo model, and names it in NETA_URL.
serve() { # NAME
  local port=''
  while :; do
    port=$((20000 + RANDOM % 12000))
    open_port "$port" || break
  done
  NETA_ADMIN_TOKEN=$NETA_TOKEN "$bin" up --data "$dir/$1" --listen "127.0.0.1:$port" >"$dir/$1.log" 2>&1 &
  servers+=($!)
  export NETA_URL=http://127.0.0.1:$port
  for _ in $(seq 300); do
    ! open_port "$port" || return 0
    kill -0 "${servers[-1]}" 2>/dev/null || fail "the server did not start: $(tail -n 5 "$dir/$1.log")"
    sleep 0.1
  done
  fail "the server did not start in time"
}

cargo build --locked --package neta --bin neta --features web
bin=$target/debug/neta
dir=$(mktemp -d "${TMPDIR:-/tmp}/neta-clients.XXXXXX")
NETA_TOKEN=clients-$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
export NETA_TOKEN

if wanted python; then
  install_python
  serve python
  say "openai for Python, LangChain"
  (cd "$tests/python" && "$cache/python/venv/bin/python" -B -m pytest -q -p no:cacheprovider .)
fi

if wanted node; then
  install_node
  serve node
  say "openai for Node, AI SDK"
  # Modules are looked for from the file's own folder upwards.
  cp "$tests"/node/*.test.mjs "$cache/node/"
  (cd "$cache/node" && node --test)
fi

# Every operation that the document lists, streams and waits too: the demo model ends or asks within
# seconds. Bounded by the number of examples; the seed is fixed.
if wanted document; then
  install_python
  serve document
  say "schemathesis"
  mkdir "$dir/work"
  (cd "$dir/work" && NO_COLOR=1 "$cache/python/venv/bin/schemathesis" run "$NETA_URL/openapi.json" \
    --header "Authorization: Bearer $NETA_TOKEN" --seed 1 --max-examples "${CLIENTS_EXAMPLES:-15}" --no-shrink \
    --phases examples,coverage,fuzzing --continue-on-failure --request-timeout 60 --suppress-health-check all \
    --warnings off \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance)
fi
