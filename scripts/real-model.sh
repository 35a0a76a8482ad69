#!/usr/bin/env bash
# Talks to a real model through Neta: both dialects, in English and in Chinese, with its tools on.
#
#   REAL_MODEL_OPENAI_URL      base URL of an OpenAI-compatible endpoint, as http://127.0.0.1:8080/v1
#   REAL_MODEL_ANTHROPIC_URL   base URL of an Anthropic endpoint, as https://api.anthropic.com
#   REAL_MODEL_NAME            the provider's name of the model
#   REAL_MODEL_KEY             the key
#
# A dialect whose URL is not set is skipped. Fails if a turn does not end with an answer.
set -euo pipefail
cd "$(dirname "$0")/.."

die() {
  echo "real-model: $*" >&2
  exit 1
}

command -v curl >/dev/null || die "missing: curl"
command -v python3 >/dev/null || die "missing: python3"
[ -n "${REAL_MODEL_OPENAI_URL:-}${REAL_MODEL_ANTHROPIC_URL:-}" ] ||
  die "set REAL_MODEL_OPENAI_URL or REAL_MODEL_ANTHROPIC_URL; the head of this script says how"

cargo build --locked --release --bin neta
bin=${CARGO_TARGET_DIR:-target}/release/neta

dir=$(mktemp -d "${TMPDIR:-/tmp}/neta-real.XXXXXX")
port=$((20000 + RANDOM % 20000))
api=http://127.0.0.1:$port
token=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
NETA_ADMIN_TOKEN=$token "$bin" up --data "$dir" --listen "127.0.0.1:$port" >"$dir/log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null || true; rm -rf "$dir"' EXIT

for _ in $(seq 100); do
  curl -fs "$api/healthz" >/dev/null 2>&1 && break
  kill -0 "$server" 2>/dev/null || die "the server did not start: $(tail -n 5 "$dir/log")"
  sleep 0.1
done

post() { # PATH JSON
  curl -sS --max-time 180 -H "authorization: Bearer $token" -H 'content-type: application/json' -d "$2" "$api$1"
}

# field JSON NAME...: the value at that path, nothing if there is none.
field() {
  python3 -c '
import json, sys
value = json.loads(sys.argv[1])
for name in sys.argv[2:]:
    value = (value or {}).get(name)
print("" if value is None else value)' "$@"
}

object() { # NAME VALUE...: a JSON object of texts and whole numbers
  python3 -c '
import json, sys
values = [int(a) if a.isdecimal() else a for a in sys.argv[2::2]]
print(json.dumps(dict(zip(sys.argv[1::2], values))))' "$@"
}

turn() { # AGENT MESSAGE
  local answer status id
  answer=$(post /open/netaclaw/chat "$(object agent "$1" message "$2")")
  status=$(field "$answer" status)
  id=$(field "$answer" assistantMessageId)
  while [ "$status" != completed ] && [ "$status" != failed ] && [ -n "$id" ]; do
    answer=$(curl -sS --max-time 90 -H "authorization: Bearer $token" "$api/open/netaclaw/chat/$id?wait=60")
    status=$(field "$answer" status)
  done
  printf '  > %s\n  < %s\n' "$2" "$(field "$answer" content | head -c 300)"
  [ "$status" = completed ] && [ -n "$(field "$answer" content)" ] || die "no answer: $answer"
}

talk() { # DIALECT URL
  local model probe
  echo "$1"
  # Small models may never stop by themselves.
  model=$(post /api/models "$(object name "real $1" provider "$1" modelName "${REAL_MODEL_NAME:-default}" \
    baseUrl "$2" apiKey "${REAL_MODEL_KEY:-none}" maxOutputTokens 200)")
  model=$(field "$model" id)
  [ -n "$model" ] || die "the model was refused"
  probe=$(post "/api/models/$model/test" '{}')
  [ "$(field "$probe" ok)" = True ] || die "the test says: $probe"
  post /api/agents "{\"name\":\"real-$1\",\"systemPrompt\":\"You are a helpful assistant.\",\"modelId\":$model}" >/dev/null
  turn "real-$1" "What is the capital of France?"
  turn "real-$1" "请用一句话介绍你自己。"
}

for dialect in openai anthropic; do
  variable=REAL_MODEL_${dialect^^}_URL
  if [ -n "${!variable:-}" ]; then
    talk "$dialect" "${!variable}"
  else
    echo "$dialect: skipped, $variable is not set"
  fi
done
