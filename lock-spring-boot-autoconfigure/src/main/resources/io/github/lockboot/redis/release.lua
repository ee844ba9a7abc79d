-- release.lua: give the lock back if the caller still owns it.
-- KEYS[1] lock     KEYS[2] highest fencing token given out
-- ARGV[1] owner    ARGV[2] lease in ms
-- ARGV[3] highest token the owner has given out, 0 if it does not know of any
-- ARGV[4] how long the token is remembered after the lease, in ms
-- returns {1} released, {0} not owned (expired or taken over)
local lock, fence = KEYS[1], KEYS[2]
local owner, lease, used, memory = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])

if redis.call('GET', lock) ~= owner then
	return {0}
end

-- first of the writes, because Redis allows it when out of memory, and SET after it
redis.call('DEL', lock)
if used ~= '0' then
	redis.call('SET', fence, used, 'PX', lease + memory)
end
return {1}
