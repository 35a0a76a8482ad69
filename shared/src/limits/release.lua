-- Ends a call, or takes a run out of the line; `model.rs` has the same rules in Rust.
-- KEYS: as in acquire.lua
-- ARGV: now ('' for Redis' time), nonce, tokens reserved, tokens used, grace of a rung waiter,
--   run that leaves the line ('' for none)
-- Returns the jobs whose turn has come.
local permits, line, waiters, jobs, rung, calls, state = unpack(KEYS)
local now = tonumber(ARGV[1])
if not now then
  local t = redis.call('TIME')
  now = t[1] * 1000 + math.floor(t[2] / 1000)
end
local known = redis.call('HMGET', state, 'places', 'blocked', 'tokens')
if redis.call('ZREM', permits, ARGV[2]) == 1 and known[3] then
  redis.call('HSET', state, 'tokens', tostring(known[3] + ARGV[3] - ARGV[4]))
end
if ARGV[6] ~= '' then
  redis.call('ZREM', line, ARGV[6])
  redis.call('ZREM', waiters, ARGV[6])
  redis.call('HDEL', jobs, ARGV[6])
  redis.call('SREM', rung, ARGV[6])
end
local places = tonumber(known[1])
if not places or (tonumber(known[2]) or 0) > now or redis.call('EXISTS', line) == 0 then return {} end

redis.call('ZREMRANGEBYSCORE', permits, '-inf', now)
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', waiters, '-inf', now)) do
  redis.call('ZREM', line, gone)
  redis.call('ZREM', waiters, gone)
  redis.call('HDEL', jobs, gone)
  redis.call('SREM', rung, gone)
end
local free = places - redis.call('ZCARD', permits) - redis.call('SCARD', rung)
local out = {}
for _, run in ipairs(redis.call('ZRANGE', line, 0, 199)) do
  if #out >= free then break end
  local job = redis.call('HGET', jobs, run)
  if job and string.sub(job, 1, 1) == 'p' and redis.call('SISMEMBER', rung, run) == 0 then
    redis.call('SADD', rung, run)
    redis.call('PEXPIRE', rung, 600000)
    redis.call('ZADD', waiters, now + ARGV[5], run)
    out[#out + 1] = string.sub(job, 2)
  end
end
return out
