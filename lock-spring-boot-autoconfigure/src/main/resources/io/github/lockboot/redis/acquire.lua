-- acquire.lua: hold the lock if it is free, or may be shared, or is the caller's already;
-- else queue for it if wished. Asking again is how a waiter lives on in the queue, and how
-- a lock whose owner has died gets to the next waiter.
-- Begins with acquire-free.lua, which has read the holder.
-- KEYS    as in grant.lua
-- ARGV[1] owner    ARGV[2] lease in ms    ARGV[3] highest token the caller has seen
-- ARGV[4] how many may hold the lock together; 1 for an exclusive lock
-- ARGV[5] prefix of the channels
-- ARGV[6] where to queue: 'no', 'tail', or for one that has queued before since when, in us;
--         for one that may have, because it got no answer, how long ago that was, below 0
-- returns token                           held, and nobody waits; 'reserved' is the same,
--                                         or if exclusive higher by the us of the lease,
--                                         at most by 'ahead'
--         {1, token, reserved, queued}    held; may give out tokens up to 'reserved';
--                                         'queued' others wait
--         {2, pttl, time, foreign}        queued behind a holder for another pttl ms (-1:
--                                         without end); time of Redis in us; foreign is 1
--                                         if that holder does not hand over
--         {0, pttl}                       busy and not queued
local owner, lease, seen, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local channels, place = ARGV[5], ARGV[6]

holder = spread(holder)
local holders, last = 0, nil
if not holder or holder == owner or holder == 'shared' then
	last = tonumber(redis.call('GET', fence) or 0)
end
if holder == 'shared' then
	holders = count(micros())
	if redis.call('ZSCORE', sharers, owner) then
		holder = owner
	elseif holders == 0 then
		holder = false
	end
end
local queued = (not holder or holder == 'shared') and redis.call('EXISTS', queue) == 1
local more = false
if queued then
	-- the owner has died, or one in front of others has: those who wait come first, and the
	-- caller may be one of them
	holder, more = grant(holders, last, channels, lease)
	if not holder and more then
		redis.call('DEL', lock)
	end
	if holder == 'shared' then
		holders = redis.call('ZCARD', sharers)
		holder = redis.call('ZSCORE', sharers, owner) and owner or holder
		queued = redis.call('EXISTS', queue) == 1
	end
end

if (not holder and not more) or holder == owner or (holder == 'shared' and holders < limit and not queued) then
	local now = micros()
	local token, reserved = math.max(last, seen), nil
	-- who asks again keeps what is left of its lease: it may have been handed the lock, with a
	-- longer lease than this request asks for, while the request was under way
	if limit == 1 then
		lease = holder == owner and math.max(lease, redis.call('PTTL', lock)) or lease
		token = math.max(token + 1, now)
		reserved = reserve(token, lease, now)
		redis.call('SET', lock, owner, 'PX', lease)
	else
		if holder == owner then
			lease = math.max(lease, (redis.call('ZSCORE', sharers, owner) or 0) - math.floor(now / 1000))
		end
		-- without a last one somebody else may have been later than what the caller has seen
		token = last > 0 and token or math.max(token, now)
		reserved = token
		share(owner, now, lease)
	end
	remember(reserved, lease, now)
	return {1, token, reserved, holder and redis.call('HLEN', deadlines) or 0}
end

local pttl = holder and redis.call('PTTL', lock) or 0
if place == 'no' then
	return {0, pttl}
end

local ours = isOurs(holder)
local now = micros()
local since = tonumber(place) or now
if since < 0 then
	since = now + since
end
local length
if redis.call('HSET', deadlines, owner, string.format('%.0f %d %.0f', now + life * 1000, limit, since)) == 1 then
	length = enqueue(owner, place ~= 'tail' and since)
end
if holder and ours and (length == 1 or ((not length or length > short) and isFirst(owner))) then
	-- who passes the lock on, or shares it, without asking has to know; what the first who
	-- waits told it before may be lost
	local told = {holder}
	if holder == 'shared' then
		told = limit == 1 and redis.call('ZRANGE', sharers, 0, most) or {}
	end
	for _, each in ipairs(told) do
		publish(channels, each, 'queued ' .. each)
	end
end
redis.call('PEXPIRE', queue, 2 * life)
redis.call('PEXPIRE', deadlines, 2 * life)
return {2, pttl, now, (ours and pttl >= 0) and 0 or 1}
