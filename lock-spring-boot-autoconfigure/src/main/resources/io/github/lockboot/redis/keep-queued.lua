-- keep-queued.lua: let those live on who wait in the queue, for a JVM of which one asks by
-- acquire.lua all the time.
-- KEYS    as in grant.lua
-- ARGV    who waits
-- returns {pttl, time, foreign, owner...}  as acquire.lua says to one that is queued; and
--                                          those who are not in the queue
local holder = redis.call('GET', lock)
local pttl = holder and redis.call('PTTL', lock) or 0
local now = micros()
local reply = {pttl, now, ((isOurs(holder) or alone(holder)) and pttl >= 0) and 0 or 1}
local kept = {}
for _, waiter in ipairs(ARGV) do
	local entry = redis.call('HGET', deadlines, waiter)
	if entry then
		kept[#kept + 1] = waiter
		kept[#kept + 1] = string.gsub(entry, '^%d+', string.format('%.0f', now + life * 1000))
	else
		reply[#reply + 1] = waiter
	end
end
if #kept > 0 then
	redis.call('HSET', deadlines, unpack(kept))
	redis.call('PEXPIRE', queue, 2 * life)
	redis.call('PEXPIRE', deadlines, 2 * life)
end
return reply
