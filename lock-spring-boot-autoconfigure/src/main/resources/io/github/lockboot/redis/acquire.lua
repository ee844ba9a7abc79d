-- acquire.lua: own the lock if it is free or the caller's already.
-- KEYS[1] lock     KEYS[2] highest fencing token given out
-- ARGV[1] owner    ARGV[2] lease in ms    ARGV[3] highest token the caller has seen
-- ARGV[4] how long the token is remembered after the lease, in ms
-- returns {1, token, reserved}  owned; the owner may give out tokens up to 'reserved'
--         {0, pttl}             somebody else's for another pttl ms (-1: without end)
local lock, fence = KEYS[1], KEYS[2]
local owner, lease, seen, memory = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])

local holder = redis.call('GET', lock)
if holder and holder ~= owner then
	return {0, redis.call('PTTL', lock)}
end

local time = redis.call('TIME')
local last = tonumber(redis.call('GET', fence) or 0)
local token = math.max(last + 1, seen + 1, time[1] * 1000000 + time[2])
local reserved = token + lease * 1000

redis.call('SET', lock, owner, 'PX', lease)
redis.call('SET', fence, string.format('%.0f', reserved), 'PX', lease + memory)
return {1, token, reserved}
