-- acquire.lua: own the lock if it is free or the caller's already; else queue for it if
-- wished. Asking again is how a waiter lives on in the queue, and how a lock whose owner
-- has died gets to the next waiter.
-- KEYS[1] lock     KEYS[2] highest fencing token given out
-- KEYS[3] queue    KEYS[4] deadlines of those in the queue
-- ARGV[1] owner    ARGV[2] lease in ms    ARGV[3] highest token the caller has seen
-- ARGV[4] how long the token is remembered after the lease, in ms
-- ARGV[5] prefix of the channels     ARGV[6] claim window in ms
-- ARGV[7] where to queue: 'no', 'tail', or 'head' for one that has queued before
-- ARGV[8] how long a waiter lives in the queue without asking again, in ms
-- returns {1, token, reserved, queued}    owned; may give out tokens up to 'reserved';
--                                         'queued' others wait
--         {2, pttl, time, foreign}        queued behind an owner for another pttl ms (-1:
--                                         without end); time of Redis in us; foreign is 1
--                                         if that owner does not hand over
--         {0, pttl}                       busy and not queued
local lock, fence, queue, deadlines = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local owner, lease, seen, memory = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local channels, claim, place, life = ARGV[5], tonumber(ARGV[6]), ARGV[7], tonumber(ARGV[8])

local holder = redis.call('GET', lock)
if not holder and redis.call('EXISTS', queue) == 1 then
	-- the owner has died: those who wait come first, and the caller may be one of them
	local last = tonumber(redis.call('GET', fence) or 0)
	holder = grant(lock, fence, queue, deadlines, last, memory, channels, claim)
end

if not holder or holder == owner then
	local last = tonumber(redis.call('GET', fence) or 0)
	local token = math.max(last + 1, seen + 1, micros())
	local reserved = token + lease * 1000
	redis.call('SET', lock, owner, 'PX', lease)
	redis.call('SET', fence, string.format('%.0f', reserved), 'PX', lease + memory)
	return {1, token, reserved, holder and redis.call('LLEN', queue) or 0}
end

local pttl = redis.call('PTTL', lock)
if place == 'no' then
	return {0, pttl}
end

local ours = string.match(holder, '^%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x:%w+$')
local now = micros()
if redis.call('HSET', deadlines, owner, string.format('%.0f', now + life * 1000)) == 1 then
	local queued = redis.call(place == 'head' and 'LPUSH' or 'RPUSH', queue, owner)
	if queued == 1 and ours then
		publish(channels, holder, 'queued ' .. holder)
	end
end
redis.call('PEXPIRE', queue, 2 * life)
redis.call('PEXPIRE', deadlines, 2 * life)
return {2, pttl, now, (ours and pttl >= 0) and 0 or 1}
