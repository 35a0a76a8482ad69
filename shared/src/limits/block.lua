-- Notes a Retry-After; a longer one that is known stays.
-- KEYS: state (hash); ARGV: now ('' for Redis' time), wait in ms, lifetime of keys
local now = tonumber(ARGV[1])
if not now then
  local t = redis.call('TIME')
  now = t[1] * 1000 + math.floor(t[2] / 1000)
end
local till = now + ARGV[2]
if (tonumber(redis.call('HGET', KEYS[1], 'blocked')) or 0) < till then
  redis.call('HSET', KEYS[1], 'blocked', string.format('%.0f', till), 'length', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
return string.format('%.0f', till)
