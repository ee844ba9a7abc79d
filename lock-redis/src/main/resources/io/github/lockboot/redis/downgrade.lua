-- downgrade.lua: share a lock that the caller holds exclusively with the waiters at the head
-- of the queue that want to share it. Requires handover.lua.
-- KEYS    as in handover.lua
-- ARGV[1] owner    ARGV[2] highest token that the owner has granted, 0 if unknown
-- ARGV[3] lease in ms    ARGV[4] prefix of the channels
-- returns {1} shared, {0} not held exclusively (expired or taken over)
local owner, used, lease, channels = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]

if redis.call('GET', lock) ~= owner then
	return {0}
end

if used == 0 then
	used = tonumber(redis.call('GET', fence) or 0)
end

-- Redis permits this write when out of memory, and ZADD after it
redis.call('DEL', lock)
local now = micros()
share(owner, now, lease)
remember(used, lease, now)
handOver(1, used, channels, lease)
return {1}
