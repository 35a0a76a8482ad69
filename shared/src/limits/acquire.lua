-- Asks for one call; `model.rs` has the same rules in Rust.
-- KEYS: permits (zset nonce by end), line (zset run by place), waiters (zset run by end),
--   jobs (hash run -> 'p' or 't' and job), rung (set of runs), calls (list of times), state (hash)
-- ARGV: now ('' for Redis' time), nonce, run, job, calls at the same time, calls a minute, tokens a
--   minute ('' for no limit), tokens wanted, lifetime of a permit, retry for a place, grace of a
--   waiter, lifetime of keys, spread
-- Returns 1 and the tokens reserved, or 0 and when to ask again in ms.
local permits, line, waiters, jobs, rung, calls, state = unpack(KEYS)
local now = tonumber(ARGV[1])
if not now then
  local t = redis.call('TIME')
  now = t[1] * 1000 + math.floor(t[2] / 1000)
end
local run, places, rpm, tpm = ARGV[3], tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local keep = ARGV[12]

redis.call('ZREMRANGEBYSCORE', permits, '-inf', now)
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', waiters, '-inf', now)) do
  redis.call('ZREM', line, gone)
  redis.call('ZREM', waiters, gone)
  redis.call('HDEL', jobs, gone)
  redis.call('SREM', rung, gone)
end
local rank = redis.call('ZRANK', line, run)
local ahead = rank or redis.call('ZCARD', line)

local by_time = 0
local known = redis.call('HMGET', state, 'blocked', 'length', 'phase', 'tokens', 'at')
local blocked = tonumber(known[1])
if blocked and blocked > now then
  local phase = ((tonumber(known[3]) or 0) + 0.618034) % 1
  redis.call('HSET', state, 'phase', tostring(phase))
  by_time = blocked - now + math.floor(tonumber(known[2]) * tonumber(ARGV[13]) * phase)
end
if rpm then
  rpm = math.max(rpm, 1)
  local wait = math.floor(ahead / rpm) * 60000
  local index = redis.call('LLEN', calls) - rpm + ahead % rpm
  if index >= 0 then
    local call = redis.call('LINDEX', calls, index)
    if call then wait = math.max(0, call + 60000 + wait - now) end
  end
  by_time = math.max(by_time, wait)
end
local left, reserved = nil, 0
if tpm then
  tpm = math.max(tpm, 1)
  left = tpm
  if known[4] then left = math.min(tpm, known[4] + (now - known[5]) * tpm / 60000) end
  reserved = math.min(tonumber(ARGV[8]), tpm)
  local need = math.min(tpm, reserved * (ahead + 1))
  by_time = math.max(by_time, math.ceil(math.max(0, need - left) * 60000 / tpm))
end
local no_place = places and redis.call('ZCARD', permits) + ahead >= places
redis.call('HSET', state, 'places', ARGV[5])

if by_time == 0 and not no_place then
  if rank then
    redis.call('ZREM', line, run)
    redis.call('ZREM', waiters, run)
    redis.call('HDEL', jobs, run)
    redis.call('SREM', rung, run)
  end
  redis.call('ZADD', permits, now + ARGV[9], ARGV[2])
  redis.call('PEXPIRE', permits, keep)
  if rpm then
    redis.call('RPUSH', calls, string.format('%.0f', now))
    redis.call('LTRIM', calls, -rpm, -1)
    redis.call('PEXPIRE', calls, keep)
  end
  if left then
    redis.call('HSET', state, 'tokens', tostring(left - reserved), 'at', string.format('%.0f', now))
  end
  redis.call('PEXPIRE', state, keep)
  return {1, reserved}
end

local wait = by_time
if no_place then wait = math.max(wait, tonumber(ARGV[10])) end
if not rank then redis.call('ZADD', line, redis.call('HINCRBY', state, 'place', 1), run) end
redis.call('ZADD', waiters, now + wait + ARGV[11], run)
redis.call('HSET', jobs, run, (by_time == 0 and 'p' or 't') .. ARGV[4])
redis.call('SREM', rung, run)
for _, key in ipairs({line, waiters, jobs, rung, state}) do redis.call('PEXPIRE', key, keep) end
return {0, wait}
