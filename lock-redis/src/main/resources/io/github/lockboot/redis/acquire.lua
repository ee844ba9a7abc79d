-- acquire.lua: acquire the lock if it is free, can be shared, or belongs to the caller; else
-- queue for it if requested. Repeated calls keep a waiter alive in the queue, and hand over
-- a lock whose owner has died.
-- Requires acquire-first.lua, which has read 'holder', handover.lua and queue.lua.
-- KEYS    as in handover.lua
-- ARGV[1] owner    ARGV[2] lease in ms    ARGV[3] highest token the caller has seen
-- ARGV[4] how many may hold the lock together; 1 for an exclusive lock
-- ARGV[5] prefix of the channels
-- ARGV[6] where to queue: 'no', 'tail', or since when in us if the caller has queued before;
--         if it may have, because it got no reply, for how long, as a negative number;
--         then ' polls' if its JVM is not notified of a grant, and repeats this call instead
-- returns token                           acquired without waiters; 'reserved' is the same,
--                                         or for an exclusive lock higher by the us of the
--                                         lease, at most by 'ahead'
--         {1, token, reserved, queued}    acquired; may grant tokens up to 'reserved';
--                                         'queued' is above 0 if others wait, or one has
--                                         polled a moment ago
--         {2, pttl, time, foreign}        queued behind a holder for another pttl ms (-1:
--                                         without expiry); time of Redis in us; foreign is
--                                         1 if the caller has to repeat its call often:
--                                         that holder does not hand over, or it or another
--                                         waiter is not notified and so may not notify
--         {0, pttl}                       busy and not queued
local owner, lease, seen, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local channels, position, polls = ARGV[5], string.match(ARGV[6], '^(%S+)(.*)')

holder = promoteToShared(holder)
local holders, last = 0, nil
if not holder or holder == owner or holder == 'shared' then
	last = tonumber(redis.call('GET', fence) or 0)
end
if holder == 'shared' then
	holders = count(micros())
	local score = redis.call('ZSCORE', sharers, owner)
	if isKeptUntil(score) then
		return {0, redis.call('PTTL', lock)}
	elseif score then
		holder = owner
	elseif holders == 0 then
		holder = false
	end
end
local queued = (not holder or holder == 'shared') and redis.call('EXISTS', queue) == 1
local more = false
if queued then
	-- the owner has died, or a waiter in front of others: the waiters come first, of which
	-- the caller may be one
	holder, more = handOver(holders, last, channels, lease)
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
	-- an owner that calls again keeps the rest of its lease: a handover may have given it a
	-- longer one than this call requests, while the call was in progress
	if limit == 1 then
		lease = holder == owner and math.max(lease, redis.call('PTTL', lock)) or lease
		token = math.max(token + 1, now)
		reserved = reserve(token, lease, now)
		redis.call('SET', lock, owner, 'PX', lease)
	else
		if holder == owner then
			lease = math.max(lease, (redis.call('ZSCORE', sharers, owner) or 0) - math.floor(now / 1000))
		end
		-- without a last one, there may have been a later one than the caller has seen
		token = last > 0 and token or math.max(token, now)
		reserved = token
		share(owner, now, lease)
	end
	remember(reserved, lease, now)
	return {1, token, reserved, others()}
end

local pttl = holder and redis.call('PTTL', lock) or 0
if position == 'no' or holder == 'kept ' .. owner then
	return {0, pttl}
end

local ours = isOurs(holder)
local now = micros()
local since = tonumber(position) or now
if since < 0 then
	since = now + since
end
local length
if redis.call('HSET', deadlines, owner, string.format('%.0f %d %.0f%s', now + life * 1000, limit, since, polls)) == 1 then
	length = enqueue(owner, position ~= 'tail' and since)
end
local heard = true
if holder and ours and not isKept(holder) and (length == 1 or ((not length or length > short) and isFirst(owner))) then
	-- notify the holders, which may pass the lock on, or share it, without a call; an earlier
	-- message for the first waiter may be lost. Those that share it with any that want to
	-- share it get an empty one for each JVM
	local shares = limit > 1 and holder == 'shared'
	local told = {[jvm(owner)] = shares}
	for _, each in ipairs(holder == 'shared' and redis.call('ZRANGE', sharers, 0, most) or {holder}) do
		if not told[jvm(each)] then
			told[jvm(each)] = shares
			heard = publish(channels, each, shares and '' or 'queued ' .. each) and heard
		end
	end
end
if polls ~= '' or not (heard or limit == 1) then
	-- that holder may grant the lock to several at once
	redis.call('SET', polled, '', 'PX', recent)
end
redis.call('PEXPIRE', queue, 2 * life)
redis.call('PEXPIRE', deadlines, 2 * life)
-- a waiter in front that polls may not be able to notify the caller either
local notified = ours and heard and pttl >= 0 and redis.call('EXISTS', polled) == 0
return {2, pttl, now, notified and 0 or 1}
