-- Numbers, logs and sends the events of one publication.
-- KEYS: log (list of publications), state, the mark that somebody follows the subagents
-- ARGV: fence (empty: none), begin (0 never, 1 if missing, 2 snapshot), 1 if the last event is terminal, most
--   bytes of a log, its lifetime in ms, channel, name of the stream, then the events
-- Returns what became of it (0 sent, 1 missing, 2 stale, 3 closed), epoch, last number,
--   bytes, 1 if somebody follows the subagents.
local log, state = KEYS[1], KEYS[2]
local mine = tonumber(ARGV[1])
local epoch, seq, fence, closed, bytes, whole
local known = redis.call('GET', state)
if known then
  epoch, seq, fence, closed, bytes, whole = string.match(known, '^(%d+) (%d+) (%-?%d+) (%d) (%d+) (%d)$')
end
if epoch then
  if mine and mine < tonumber(fence) then return {2, 0, 0, 0, 0} end
  if closed == '1' then return {3, 0, 0, 0, 0} end
  seq, bytes = tonumber(seq), tonumber(bytes)
  if redis.call('EXISTS', log) == 0 then epoch = nil end
end
local count = #ARGV - 7
if not epoch then
  if ARGV[2] == '0' or count == 0 then return {1, 0, 0, 0, 0} end
  local now = redis.call('TIME')
  epoch, seq = now[1] .. string.format('%06d', now[2]), 0
  if ARGV[2] == '1' then redis.call('DEL', log) end
  bytes, whole = 0, '1'
end
local watched = redis.call('EXISTS', KEYS[3])
if count == 0 then return {0, epoch, seq, bytes, watched} end
if ARGV[2] == '2' then
  redis.call('DEL', log)
  bytes, whole = 0, '1'
end
local tail = ',"epoch":' .. epoch .. '}'
local lines = {ARGV[7] .. ' ' .. epoch .. ' ' .. (seq + 1) .. ' ' .. count .. ' ' .. ARGV[3]}
for i = 8, #ARGV do
  seq = seq + 1
  lines[#lines + 1] = ARGV[i] .. ',"seq":' .. seq .. tail
end
local text = table.concat(lines, '\n')
local entries = redis.call('RPUSH', log, text)
bytes = bytes + #text
local cap = tonumber(ARGV[4])
if bytes > cap then
  while bytes > cap / 2 and entries > 1 do
    bytes = bytes - #redis.call('LPOP', log)
    entries, whole = entries - 1, '0'
  end
end
redis.call('PEXPIRE', log, ARGV[5])
if mine then fence = ARGV[1] end
redis.call('SET', state, epoch .. ' ' .. seq .. ' ' .. (fence or '0') .. ' ' .. ARGV[3] .. ' ' .. bytes .. ' ' .. whole,
  'PX', ARGV[5])
redis.call('PUBLISH', ARGV[6], text)
return {0, epoch, seq, bytes, watched}
