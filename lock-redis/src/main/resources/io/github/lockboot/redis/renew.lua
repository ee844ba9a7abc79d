-- renew.lua: renew the lease if the caller still holds the lock; also for the last time,
-- with the rest of a shortest hold, during which nobody holds the lock. Requires handover.lua.
-- KEYS    as in handover.lua
-- ARGV[1] owner    ARGV[2] lease in ms
-- ARGV[3] highest token that the owner has granted if it is the last renewal, else 0; also 0
--         if others may have held the lock since
-- ARGV[4] prefix of the channels if it is the last renewal: the first waiter of each JVM gets
--         the message 'sooner <waiter> <lock>', as it knows a longer lease
-- returns {1, reserved, queued}  renewed; the owner may grant tokens up to 'reserved';
--                                'queued' is above 0 if others wait, or one has polled
--                                a moment ago
--         {0}                    not held (expired or taken over)
local owner, lease, used = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local holder = redis.call('GET', lock)
if ARGV[4] and (holder == 'kept ' .. owner or holder == 'shared ' .. owner .. ' kept') then
	-- once more: the time does not begin again
	if redis.call('PTTL', lock) > lease then
		redis.call('PEXPIRE', lock, lease)
	end
	return {1, used, 0}
end
if holder ~= owner and holder ~= 'shared' and holder ~= 'shared ' .. owner then
	return {0}
end

local now = micros()
local reserved = tonumber(redis.call('GET', fence) or 0)

-- Redis permits the first write when out of memory, and SET after it
if holder == owner then
	reserved = used > 0 and used or math.max(reserved, reserve(0, lease, now))
end
if holder ~= 'shared' then
	redis.call('PEXPIRE', lock, lease)
	if ARGV[4] then
		-- a renewal that comes later does not match it
		redis.call('SET', lock, holder == owner and 'kept ' .. owner or holder .. ' kept', 'PX', lease)
	end
else
	count(now)
	local score = redis.call('ZSCORE', sharers, owner)
	if not score or (isKeptUntil(score) and not ARGV[4]) then
		return {0}
	end
	if isKeptUntil(score) then
		-- once more, as above
		lease = math.min(lease, math.ceil(score) - math.floor(now / 1000))
	end
	share(owner, now, lease, ARGV[4])
end
remember(reserved, lease, now)
if ARGV[4] then
	local told = {}
	for _, waiter in ipairs(redis.call('LRANGE', queue, 0, most)) do
		if not told[jvm(waiter)] and redis.call('HGET', deadlines, waiter) then
			told[jvm(waiter)] = true
			publish(ARGV[4], waiter, 'sooner ' .. waiter .. ' ' .. lock)
		end
	end
end
return {1, reserved, others()}
