-- renew.lua: begin the lease anew if the caller still holds the lock; or, if it has ended
-- but the lock is to stay taken for some time, the last one.
-- KEYS    as in grant.lua
-- ARGV[1] owner    ARGV[2] lease in ms
-- ARGV[3] highest token the owner has given out if it gives out no more, else 0
-- returns {1, reserved, queued}  renewed; the owner may give out tokens up to 'reserved';
--                                'queued' others wait
--         {0}                    not held (expired or taken over)
local owner, lease, used = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local holder = redis.call('GET', lock)
if holder ~= owner and holder ~= 'shared' and holder ~= 'shared ' .. owner then
	return {0}
end

local now = micros()
local reserved = tonumber(redis.call('GET', fence) or 0)

-- first of the writes is one that Redis allows when out of memory, and SET after it
if holder == owner then
	reserved = used > 0 and used or math.max(reserved, reserve(0, lease, now))
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
remember(reserved, lease, now)
return {1, reserved, redis.call('HLEN', deadlines)}
