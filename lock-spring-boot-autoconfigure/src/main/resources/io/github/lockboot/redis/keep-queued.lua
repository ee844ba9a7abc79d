-- keep-queued.lua: let those live on who wait in the queue, for a JVM of which the first asks
-- by acquire.lua all the time. Those who are not in there any more, because the JVM did not
-- listen when the lock was handed over, get their places back.
-- KEYS    as in grant.lua
-- ARGV    of each who waits: owner, how many may hold the lock together, and since when it
--         waits, in us
-- returns {pttl, time, foreign, owner...}  as acquire.lua says to one that is queued; and
--                                          those who hold the lock already
local holder = redis.call('GET', lock)
local pttl = holder and redis.call('PTTL', lock) or 0
local now = micros()
local reply = {pttl, now, ((isOurs(holder) or alone(holder)) and pttl >= 0) and 0 or 1}
for i = 1, #ARGV, 3 do
	local waiter, limit, since = ARGV[i], ARGV[i + 1], ARGV[i + 2]
	if holder == waiter or alone(holder) == waiter
			or (holder == 'shared' and redis.call('ZSCORE', sharers, waiter)) then
		reply[#reply + 1] = waiter
	elseif redis.call('HSET', deadlines, waiter, string.format('%.0f %s %s', now + life * 1000, limit, since)) == 1 then
		enqueue(waiter, tonumber(since))
	end
end
redis.call('PEXPIRE', queue, 2 * life)
redis.call('PEXPIRE', deadlines, 2 * life)
return reply
