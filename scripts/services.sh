#!/usr/bin/env bash
# Runs a command with a Postgres and a Redis to test on: services.sh COMMAND [ARGUMENT...]
#
# Each is looked for in this order: NETA_TEST_POSTGRES_URL / NETA_TEST_REDIS_URL; the usual port of
# this machine, if it lets us in; a private one, started from installed binaries on a free port and
# stopped afterwards; binaries installed by apt-get (Debian, as root). Otherwise it says what is
# missing. The command finds both addresses in the two variables.
set -euo pipefail

dir=''
pg_bin=''
pg_user=''
redis_pid=''

say() { echo "services: $*" >&2; }

fail() {
  say "$*"
  exit 1
}

stop() {
  local status=$?
  trap - EXIT
  if [ -n "$redis_pid" ]; then
    kill "$redis_pid" 2>/dev/null && wait "$redis_pid" 2>/dev/null || true
  fi
  if [ -n "$dir" ]; then
    [ ! -f "$dir/pg/postmaster.pid" ] || as_pg_user "$pg_bin/pg_ctl" stop -D "$dir/pg" -m immediate -s || true
    rm -rf "$dir"
  fi
  exit "$status"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

open_port() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 20000))
    open_port "$port" || break
  done
  echo "$port"
}

# Postgres refuses to run as root.
as_pg_user() {
  if [ -n "$pg_user" ]; then
    (cd / && setpriv --reuid "$pg_user" --regid "$(id -g "$pg_user")" --clear-groups "$@")
  else
    "$@"
  fi
}

apt_install() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
  say "installing $*"
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@"; } >&2
}

find_postgres() {
  local found
  for found in "$(command -v pg_ctl || true)" /usr/lib/postgresql/*/bin/pg_ctl /opt/homebrew/opt/postgresql*/bin/pg_ctl; do
    [ -x "$found" ] || continue
    found=$(dirname "$(readlink -f "$found")")
    [ -x "$found/initdb" ] && [ -x "$found/postgres" ] && pg_bin=$found
  done
  [ -n "$pg_bin" ]
}

# Only psql can tell that the login works; without it an open port has to do.
postgres_answers() {
  open_port 5432 || return 1
  command -v psql >/dev/null || return 0
  PGCONNECT_TIMEOUT=5 psql -qAtc 'select 1' "$1" >/dev/null 2>&1
}

redis_answers() {
  local answer=''
  {
    exec 3<>/dev/tcp/127.0.0.1/6379 && printf 'PING\r\n' >&3 && read -r -t 5 answer <&3
    exec 3>&-
  } 2>/dev/null || return 1
  [ "${answer%$'\r'}" = +PONG ]
}

private_dir() {
  [ -n "$dir" ] || dir=$(mktemp -d "${TMPDIR:-/tmp}/neta-services.XXXXXX")
  chmod 755 "$dir"
}

start_postgres() {
  find_postgres || { apt_install postgresql && find_postgres; } ||
    fail "missing: a Postgres to test on. Set NETA_TEST_POSTGRES_URL, or install its server (Debian: apt-get install postgresql)"
  private_dir
  mkdir -m 700 "$dir/pg"
  if [ "$(id -u)" = 0 ]; then
    pg_user=nobody
    ! id postgres >/dev/null 2>&1 || pg_user=postgres
    chown -R "$pg_user" "$dir/pg"
  fi
  local port
  port=$(free_port)
  as_pg_user "$pg_bin/initdb" -D "$dir/pg" -U postgres -A trust -E UTF8 --locale=C -N >/dev/null ||
    fail "initdb failed"
  as_pg_user "$pg_bin/pg_ctl" start -D "$dir/pg" -l "$dir/pg/log" -s -w -t 60 -o \
    "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$dir/pg -c max_connections=300" ||
    fail "Postgres did not start: $(tail -n 5 "$dir/pg/log")"
  export NETA_TEST_POSTGRES_URL="postgres://postgres@127.0.0.1:$port/postgres"
  say "Postgres: a private one on port $port"
}

start_redis() {
  command -v redis-server >/dev/null || { apt_install redis-server && command -v redis-server >/dev/null; } ||
    fail "missing: a Redis to test on. Set NETA_TEST_REDIS_URL, or install its server (Debian: apt-get install redis-server)"
  private_dir
  mkdir "$dir/redis"
  local port
  port=$(free_port)
  redis-server --port "$port" --bind 127.0.0.1 --dir "$dir/redis" --save '' --appendonly no >"$dir/redis/log" &
  redis_pid=$!
  for _ in $(seq 100); do
    open_port "$port" && break
    kill -0 "$redis_pid" 2>/dev/null || fail "Redis did not start: $(tail -n 5 "$dir/redis/log")"
    sleep 0.1
  done
  export NETA_TEST_REDIS_URL="redis://127.0.0.1:$port"
  say "Redis: a private one on port $port"
}

local_postgres=postgres://postgres@127.0.0.1:5432/postgres
if [ -n "${NETA_TEST_POSTGRES_URL:-}" ]; then
  say "Postgres: NETA_TEST_POSTGRES_URL"
elif postgres_answers "$local_postgres"; then
  export NETA_TEST_POSTGRES_URL=$local_postgres
  say "Postgres: the one on port 5432"
else
  start_postgres
fi

if [ -n "${NETA_TEST_REDIS_URL:-}" ]; then
  say "Redis: NETA_TEST_REDIS_URL"
elif redis_answers; then
  export NETA_TEST_REDIS_URL=redis://127.0.0.1:6379
  say "Redis: the one on port 6379"
else
  start_redis
fi

# Some tests stop and start a Redis of their own.
command -v redis-server >/dev/null || apt_install redis-server ||
  say "missing: redis-server. Tests that stop and start Redis will fail (Debian: apt-get install redis-server)"

# Processes are ended by the program of that name, not by the shell's own command.
type -P kill >/dev/null || apt_install procps || say "missing: the program kill (Debian: apt-get install procps)"

# Waited for, so that the services are stopped also when the command is.
"$@" &
command=$!
trap 'kill -TERM "$command" 2>/dev/null; wait "$command"; exit 130' INT
trap 'kill -TERM "$command" 2>/dev/null; wait "$command"; exit 143' TERM
wait "$command"
