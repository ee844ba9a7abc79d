-- renew.lua: begin the lease anew if the caller still holds the lock.
-- KEYS    as in grant.lua
-- ARGV[1] owner    ARGV[2] lease in ms
-- returns {1, reserved, queued}  renewed; the owner may give out tokens up to 'reserved';
--                                'queued' others wait
--         {0}                    not held (expired or taken over)
local owner, lease = ARGV[1], tonumber(ARGV[2])

local holder = redis.call('GET', lock)
if holder ~= owner and holder ~= 'shared' and holder ~= 'shared ' .. owner then
	return {0}
end

local now = micros()
local reserved = tonumber(redis.call('GET', fence) or 0)

-- first of the writes is one that Redis allows when out of memory, and SET after it
if holder == owner then
	reserved = math.max(reserved, now + lease * 1000)
end
if holder ~= 'shared' then
	redis.call('PEXPIRE', lock, lease)
else
	count(now)
	if not redis.call('ZSCORE', sharers, owner) then
		return {0}
	end
	share(owner, now, lease)
end
redis.call('SET', fence, string.format('%.0f', reserved), 'PX', lease + memory)
return {1, reserved, redis.call('LLEN', queue)}
