-- release.lua: give the lock back if the caller still owns it, to the next waiter if there
-- is one; leave the queue if the caller waits in it.
-- KEYS[1] lock     KEYS[2] highest fencing token given out
-- KEYS[3] queue    KEYS[4] deadlines of those in the queue
-- ARGV[1] owner    ARGV[2] lease in ms
-- ARGV[3] highest token the owner has given out, 0 if it has given out none
-- ARGV[4] how long the token is remembered after the lease, in ms
-- ARGV[5] prefix of the channels     ARGV[6] claim window in ms
-- returns {1} released, the lock is free
--         {2} released and handed over
--         {0} not owned (expired or taken over), and not queued any more
local lock, fence, queue, deadlines = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local owner, lease, used, memory = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local channels, claim = ARGV[5], tonumber(ARGV[6])

if redis.call('GET', lock) ~= owner then
	if redis.call('HDEL', deadlines, owner) == 1 then
		redis.call('LREM', queue, 0, owner)
	end
	return {0}
end

local last = used > 0 and used or lastused(lock, fence, lease)
if grant(lock, fence, queue, deadlines, last, memory, channels, claim) then
	return {2}
end
-- a write that Redis allows when out of memory, and so SET after it
redis.call('DEL', lock)
redis.call('SET', fence, string.format('%.0f', last), 'PX', lease + memory)
return {1}
