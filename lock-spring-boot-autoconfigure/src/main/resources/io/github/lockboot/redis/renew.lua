-- renew.lua: begin the lease anew if the caller still owns the lock.
-- KEYS[1] lock     KEYS[2] highest fencing token given out
-- KEYS[3] queue
-- ARGV[1] owner    ARGV[2] lease in ms
-- ARGV[3] how long the token is remembered after the lease, in ms
-- returns {1, reserved, queued}  renewed; the owner may give out tokens up to 'reserved';
--                                'queued' others wait
--         {0}                    not owned (expired or taken over)
local lock, fence, queue = KEYS[1], KEYS[2], KEYS[3]
local owner, lease, memory = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

if redis.call('GET', lock) ~= owner then
	return {0}
end

local time = redis.call('TIME')
local last = tonumber(redis.call('GET', fence) or 0)
local reserved = math.max(last, time[1] * 1000000 + time[2] + lease * 1000)

-- first of the writes, because Redis allows it when out of memory, and SET after it
redis.call('PEXPIRE', lock, lease)
redis.call('SET', fence, string.format('%.0f', reserved), 'PX', lease + memory)
return {1, reserved, redis.call('LLEN', queue)}
