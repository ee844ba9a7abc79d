-- keep-queued.lua: keep the waiters of a JVM alive in the queue, except its first one, which
-- calls acquire.lua. Waiters that were dropped, because the JVM was not subscribed at a
-- handover, get their positions back. Requires handover.lua and queue.lua.
-- KEYS    as in handover.lua
-- ARGV[1] ' polls' if the JVM is not notified, else empty
-- ARGV    then of each waiter: owner, how many may hold the lock together, and since when it
--         waits, in us
-- returns {pttl, time, foreign, owner...}  as acquire.lua returns to a queued caller; and
--                                          the owners that hold the lock already
local holder = redis.call('GET', lock)
local pttl = holder and redis.call('PTTL', lock) or 0
local now = micros()
local notifies = (isOurs(holder) or soleHolder(holder)) and pttl >= 0 and redis.call('EXISTS', polled) == 0
local reply = {pttl, now, notifies and 0 or 1}
for i = 2, #ARGV, 3 do
	local waiter, limit, since = ARGV[i], ARGV[i + 1], ARGV[i + 2]
	if holder == waiter or soleHolder(holder) == waiter
			or (holder == 'shared' and redis.call('ZSCORE', sharers, waiter)) then
		reply[#reply + 1] = waiter
	elseif redis.call('HSET', deadlines, waiter, string.format('%.0f %s %s%s', now + life * 1000, limit, since, ARGV[1])) == 1 then
		enqueue(waiter, tonumber(since))
	end
end
redis.call('PEXPIRE', queue, 2 * life)
redis.call('PEXPIRE', deadlines, 2 * life)
return reply
