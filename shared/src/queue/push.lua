-- KEYS: turns of tenants (zset), jobs in line (hash run -> job), turn counter
-- ARGV: prefix of lines, wake channel, then run, tenant, job for each
local new, seen = 0, {}
for i = 3, #ARGV, 3 do
  local run, tenant = ARGV[i], ARGV[i + 1]
  if redis.call('HSETNX', KEYS[2], run, ARGV[i + 2]) == 1 then
    redis.call('RPUSH', ARGV[1] .. tenant, run)
    new = new + 1
  end
  -- Also for a run in line already: heals a lost turn.
  if not seen[tenant] then
    seen[tenant] = true
    redis.call('ZADD', KEYS[1], 'NX', redis.call('INCR', KEYS[3]), tenant)
  end
end
if new > 0 then redis.call('PUBLISH', ARGV[2], '') end
return new
