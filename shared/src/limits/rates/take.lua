-- Takes from each subject or from none; `Rule` in mod.rs says the same in Rust. Times are in µs.
-- KEYS: for each subject, until when what it took is paid for
-- ARGV: now ('' for Redis' time), then for each subject: its window, its cost
-- Returns for each subject: 1 if it has enough, and how long what it owes now takes.
local now = tonumber(ARGV[1])
if not now then
  local t = redis.call('TIME')
  now = t[1] * 1000000 + t[2]
end

local owed, fits, all = {}, {}, true
for i, key in ipairs(KEYS) do
  local window, cost = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local stored = tonumber(redis.call('GET', key)) or now
  owed[i] = math.min(math.max(stored, now), now + window)
  fits[i] = owed[i] + cost - now <= window
  all = all and fits[i]
end

local answer = {}
for i, key in ipairs(KEYS) do
  local cost = tonumber(ARGV[2 * i + 1])
  if all and cost > 0 then
    owed[i] = owed[i] + cost
    -- Forgotten when nothing is owed; a moment later, so that rounding forgives nothing.
    redis.call('SET', key, string.format('%.0f', owed[i]), 'PX', math.ceil((owed[i] - now) / 1000) + 1)
  end
  answer[i] = { fits[i] and 1 or 0, owed[i] - now }
end
return answer
