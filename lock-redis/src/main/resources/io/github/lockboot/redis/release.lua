-- release.lua: release the lock if the caller still holds it, and hand it over to the next
-- waiter; leave the queue if the caller waits in it.
-- Requires release-last.lua, which has read 'holder', handover.lua and queue.lua.
-- KEYS    as in handover.lua
-- ARGV[1] owner    ARGV[2] highest token that the owner has granted since it
--         acquired the lock; 0 keeps what is reserved, for others may have held it since
-- ARGV[3] lease in ms    ARGV[4] prefix of the channels
-- returns 1  released
--         2  released and handed over
--         0  not held (expired or taken over), and not queued any more
--         3  released, or not held before; the next call, which may be this one again, has
--            to look for further waiters
local owner, used, lease, channels = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]

if holder == owner then
	local last = used > 0 and used or tonumber(redis.call('GET', fence) or 0)
	local next, more = handOver(0, last, channels, lease)
	if next then
		return 2
	end
	-- Redis permits this write when out of memory, and SET after it
	redis.call('DEL', lock)
	redis.call('SET', fence, string.format('%.0f', last), 'XX', 'KEEPTTL')
	return more and 3 or 1
end

local removed, holders = 0, 0
if holder == 'shared' then
	holders = count(micros())
	removed = redis.call('ZREM', sharers, owner)
	holders = holders - removed
end
if removed == 0 then
	leave(owner)
end
if holder == 'shared' or (not holder and redis.call('EXISTS', queue) == 1) then
	-- also if the lock is free, because the previous call had more to do
	local next, more = handOver(holders, tonumber(redis.call('GET', fence) or 0), channels, lease)
	if not next then
		redis.call('DEL', lock)
	end
	return more and 3 or removed
end
return removed
