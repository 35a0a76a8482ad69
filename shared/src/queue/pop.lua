-- KEYS: turns of tenants (zset), jobs in line (hash run -> job), turn counter, paused flag
-- ARGV: most jobs to take, prefix of lines
-- Returns 1 if it stopped early (0 otherwise), then the jobs.
local out = {0}
if redis.call('EXISTS', KEYS[4]) == 1 then return out end
local most, budget = tonumber(ARGV[1]), 1000
while #out <= most do
  -- Removed runs are passed over here: not too many of them while all others wait.
  if budget == 0 then
    out[1] = 1
    break
  end
  budget = budget - 1
  local tenant = redis.call('ZPOPMIN', KEYS[1])[1]
  if not tenant then
    -- What is left stands in no line (a line was lost): the sweep must be able to push it again.
    redis.call('UNLINK', KEYS[2])
    break
  end
  local line = ARGV[2] .. tenant
  local run = redis.call('LPOP', line)
  if run then
    local job = redis.call('HGET', KEYS[2], run)
    if job then
      redis.call('HDEL', KEYS[2], run)
      out[#out + 1] = job
    end
    if redis.call('EXISTS', line) == 1 then
      redis.call('ZADD', KEYS[1], redis.call('INCR', KEYS[3]), tenant)
    end
  end
end
return out
