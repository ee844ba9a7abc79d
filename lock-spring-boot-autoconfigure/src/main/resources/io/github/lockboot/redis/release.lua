-- release.lua: give the lock back if the caller still holds it, to the next waiter if there
-- is one; leave the queue if the caller waits in it.
-- Begins with release-last.lua, which has read the holder.
-- KEYS    as in grant.lua
-- ARGV[1] owner    ARGV[2] lease in ms
-- ARGV[3] highest token the owner has given out, 0 if it has given out none
-- ARGV[4] how long the token is remembered after the lease, in ms
-- ARGV[5] prefix of the channels     ARGV[6] claim window in ms
-- returns {1} released
--         {2} released and handed over
--         {0} not held (expired or taken over), and not queued any more
local owner, lease, used, memory = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local channels, claim = ARGV[5], tonumber(ARGV[6])

if holder == owner then
	local last = used > 0 and used or lastUsed(lease)
	if grant(0, last, memory, channels, claim) then
		return {2}
	end
	-- a write that Redis allows when out of memory, and so SET after it
	redis.call('DEL', lock)
	redis.call('SET', fence, string.format('%.0f', last), 'PX', lease + memory)
	return {1}
end

local removed = 0
if holder == 'shared' then
	local holders = count(micros())
	removed = redis.call('ZREM', sharers, owner)
	if not grant(holders - removed, tonumber(redis.call('GET', fence) or 0), memory, channels, claim) then
		redis.call('DEL', lock)
	end
end
if removed == 0 and redis.call('HDEL', deadlines, owner) == 1 then
	redis.call('LREM', queue, 0, owner)
end
return {removed}
