-- downgrade.lua: share a lock that the caller holds exclusively, with those who wait for
-- that at the head of the queue.
-- KEYS    as in grant.lua
-- ARGV[1] owner    ARGV[2] lease in ms
-- ARGV[3] highest token the owner has given out
-- ARGV[4] prefix of the channels
-- returns {1} shared, {0} not held exclusively (expired or taken over)
local owner, lease, used, channels = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]

if redis.call('GET', lock) ~= owner then
	return {0}
end

-- a write that Redis allows when out of memory, and so ZADD after it
redis.call('DEL', lock)
local now = micros()
share(owner, now, lease)
remember(used, lease, now)
grant(1, used, channels, lease)
return {1}
