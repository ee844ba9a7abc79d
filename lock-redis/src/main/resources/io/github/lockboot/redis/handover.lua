-- handover.lua: the functions that the scripts of a lock share, prepended to them. Requires
-- constants.lua.
-- KEYS[1] lock: its owner; 'shared' while several may hold it; 'shared <owner>' while one
--         shares it alone and nobody waits; 'kept <owner>', or 'shared <owner> kept', from
--         the release of that owner to the end of its minimum hold time
-- KEYS[2] highest fencing token that may have been granted
-- KEYS[3] queue of the waiters; if it is long, also of some that have left
-- KEYS[4] exists for a moment after each call of a waiter that polls, or that wants to share
--         the lock and learns that a holder is not notified
-- KEYS[5] per waiter 'deadline limit since': until when it lives, in us; how many may hold
--         the lock together with it, which is 1 for an exclusive lock, the permits of a
--         semaphore, or any number; and since when it waits, in us. Then ' polls' if its JVM
--         is not notified, and repeats its calls instead
-- KEYS[6] holders that share the lock, scored by the times at which their leases end, in
--         ms; by half a ms less from their release to the end of a minimum hold time
local lock, fence, queue, polled, deadlines, sharers = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]

local function micros()
	local time = redis.call('TIME')
	return time[1] * 1000000 + time[2]
end

-- jvm(owner): the JVM of an owner
local function jvm(owner)
	return string.match(owner, '^[^:]*')
end

-- publish(channels, owner, message): notify the JVM of an owner. By pcall, because the user
-- may lack the right, and last of all writes, because the JVM also retries without it. In a
-- cluster the prefix ends with a hash tag: of the sharded channels of this node, or an empty
-- one for other channels, where subscribers of other nodes are not counted.
-- returns whether that JVM may have received it. In a cluster it may be subscribed even if
-- it has not, while a slot moves
local function publish(channels, owner, message)
	local channel = channels .. jvm(owner)
	if string.sub(channels, -2) == '{}' then
		redis.pcall('PUBLISH', channel, message)
		return true
	end
	return redis.pcall(string.sub(channels, -1) == '}' and 'SPUBLISH' or 'PUBLISH', channel, message) ~= 0
end

-- others(): 1 if others wait for the lock, 2 if one has polled for it a moment ago, 3 if both
local function others()
	return redis.call('EXISTS', deadlines, polled, polled)
end

-- reserve(token, lease, now): the highest token that may be granted, from this one on, until
-- the lease (ms) is renewed
local function reserve(token, lease, now)
	return math.max(token + few, now + math.min(lease, ahead) * 1000)
end

-- remember(token, lease, now): store the highest token that may have been granted, for
-- longer than the lease (ms) and until the time of Redis has reached it
local function remember(token, lease, now)
	local life = math.max(lease, math.floor((token - now) / 1000)) + memory
	redis.call('SET', fence, string.format('%.0f', token), 'PX', life)
end

-- count(now): the number of holders that share the lock, without expired ones
local function count(now)
	redis.call('ZREMRANGEBYSCORE', sharers, '-inf', math.floor(now / 1000))
	return redis.call('ZCARD', sharers)
end

-- share(owner, now, lease, kept): make an owner one of the holders that share the lock, for
-- a lease (ms), or for a minimum hold time
local function share(owner, now, lease, kept)
	local nowMillis = math.floor(now / 1000)
	redis.call('ZADD', sharers, nowMillis + lease - (kept and 0.5 or 0), owner)
	local life = math.ceil(redis.call('ZRANGE', sharers, -1, -1, 'WITHSCORES')[2] - nowMillis)
	redis.call('PEXPIRE', sharers, life)
	redis.call('SET', lock, 'shared', 'PX', life)
end

-- isKeptUntil(score): whether that of a holder that shares the lock is the end of a minimum
-- hold time
local function isKeptUntil(score)
	return score and score % 1 > 0
end

-- soleHolder(holder): the owner that shares the lock alone, if the value of the lock names
-- it; the value of a foreign client may look similar. And whether the lock is kept
local function soleHolder(holder)
	local owner, kept = string.match(holder or '', '^shared (%x+:%w+)(.*)$')
	if kept == '' or kept == ' kept' then
		return owner, kept ~= ''
	end
end

-- promoteToShared(holder): if an owner shares the lock alone, move it from the value of the
-- lock to the set, where others can join. A lock without expiry is left as it is.
-- returns the new value of the lock
local function promoteToShared(holder)
	local owner, kept = soleHolder(holder)
	local life = owner and redis.call('PTTL', lock)
	if not owner or life < 0 then
		return holder
	end
	-- Redis permits this write when out of memory, and ZADD after it
	redis.call('DEL', lock)
	share(owner, micros(), math.max(1, life), kept)
	return 'shared'
end

-- notify(...): send the JVM of a waiter that has acquired the lock the message
--     grant <owner> <token> <reserved> <time in us> <claim> <others> <lock key>
-- returns whether it may be subscribed
local function notify(waiter, token, reserved, now, claim, channels)
	return publish(channels, waiter, string.format('grant %s %.0f %.0f %.0f %d %d %s', waiter, token, reserved, now,
		claim, others(), lock)) or string.sub(channels, -1) == '}'
end

-- handOver(holders, last, channels, lease): make the first live waiter a holder for the
-- claim window, or for 'recent' if it polls, with a fencing token above 'last'; or, if it
-- would share the lock, also those behind it that would, with the last token. 'holders' is how many share the lock
-- now, 0 if it is free; 'lease' is the length of a lease of this lock (ms), 0 if it is
-- unknown: after a forced release, or a handover that replicas have not confirmed in time.
-- A waiter is alive if its deadline is ahead and its JVM is subscribed on this server (in a
-- cluster that is unknown), or polls.
-- returns the new owner; 'shared'; or nil if the lock is free: then its value may name a
-- waiter that is not subscribed, and the caller must delete or set it. And whether there is
-- more to do: then a new caller does not get the lock, and another call must continue, as
-- all waiters do when they retry. If not, and the lock is free, the queue is gone.
local unsubscribed, looked = {}, 0
local function handOver(holders, last, channels, lease)
	local longest = lease > 0 and math.min(window, lease) or window
	local now
	local granted = {}
	local more = false
	while true do
		if looked == most then
			more = redis.call('EXISTS', queue) == 1
			break
		end
		looked = looked + 1
		local waiter
		if holders == 0 then
			-- the first write, because Redis permits it when out of memory, and SET after it
			waiter = redis.call('LPOP', queue)
		else
			waiter = redis.call('LINDEX', queue, 0)
		end
		if not waiter then
			break
		end
		now = now or micros()
		local deadline, limit, polls = string.match(redis.call('HGET', deadlines, waiter) or '0',
			'^(%d+) ?(%d*) ?%d*(.*)')
		polls = polls == ' polls'
		-- whether a waiter that polls is dead shows at the end of its claim only, but a live
		-- one calls again soon
		local claim = polls and math.min(recent, longest) or longest
		local alive = tonumber(deadline) >= now and (polls or not unsubscribed[jvm(waiter)])
		limit = tonumber(limit) or 1
		if alive and holders >= limit then
			break
		end
		if holders > 0 then
			redis.call('LPOP', queue)
		end
		redis.call('HDEL', deadlines, waiter)
		if alive and limit == 1 then
			local token = math.max(last + 1, now)
			local reserved = reserve(token, claim, now)
			redis.call('SET', lock, waiter, 'PX', claim)
			remember(reserved, claim, now)
			if notify(waiter, token, reserved, now, claim, channels) or polls then
				return waiter, false
			end
			unsubscribed[jvm(waiter)] = true
		elseif alive then
			share(waiter, now, claim)
			granted[#granted + 1] = {waiter, polls, claim}
			holders = holders + 1
		end
	end

	if #granted > 0 then
		local token = last > 0 and last or now
		remember(token, longest, now)
		for _, each in ipairs(granted) do
			local waiter, polls, claim = each[1], each[2], each[3]
			if not notify(waiter, token, token, now, claim, channels) and not polls then
				redis.call('ZREM', sharers, waiter)
				holders = holders - 1
			end
		end
		if holders == 0 then
			return handOver(0, last, channels, lease)
		end
	end
	return holders > 0 and 'shared' or nil, more
end
