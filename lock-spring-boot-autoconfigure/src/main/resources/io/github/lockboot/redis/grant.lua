-- grant.lua: what the scripts of a lock have in common, put in front of them. Behind
-- times.lua.
-- KEYS[1] lock: its owner; 'shared' while several may hold it; 'shared <owner>' while one
--         does that alone and nobody waits
-- KEYS[2] highest fencing token given out
-- KEYS[3] queue of the attempts that wait; also some that have left, if it is long
-- KEYS[4] of each that waits 'deadline limit since': until when it lives, in us; how many
--         may hold the lock together so that it is one of them: 1 for an exclusive lock,
--         the permits of a semaphore, or any number; and since when it waits, in us
-- KEYS[5] those who share the lock, by the times at which their leases end, in ms
local lock, fence, queue, deadlines, sharers = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]

local function micros()
	local time = redis.call('TIME')
	return time[1] * 1000000 + time[2]
end

-- publish(channels, owner, message): tell the JVM of an owner. Last of all, because the
-- JVM asks again anyway, and by pcall: this user may lack the channel. In a cluster the
-- prefix ends with a hash tag, of this node's sharded channels, or with an empty one for
-- other channels; who listens on another node isn't counted there.
-- returns whether that JVM may have heard
local function publish(channels, owner, message)
	local channel = channels .. string.match(owner, '^[^:]*')
	if string.sub(channels, -1) ~= '}' then
		return redis.pcall('PUBLISH', channel, message) ~= 0
	end
	redis.pcall(string.sub(channels, -2) == '{}' and 'PUBLISH' or 'SPUBLISH', channel, message)
	return true
end

-- reserve(token, lease, now): up to where tokens may be given out, from this one on, until
-- the lease (ms) is renewed
local function reserve(token, lease, now)
	return math.max(token + few, now + math.min(lease, ahead) * 1000)
end

-- remember(token, lease, now): keep the highest token that may have been given out beyond
-- the lease (ms), and beyond the moment when the time of Redis has come to it
local function remember(token, lease, now)
	local life = math.max(lease, math.floor((token - now) / 1000)) + memory
	redis.call('SET', fence, string.format('%.0f', token), 'PX', life)
end

-- count(now): how many share the lock, without those whose leases are over
local function count(now)
	redis.call('ZREMRANGEBYSCORE', sharers, '-inf', math.floor(now / 1000))
	return redis.call('ZCARD', sharers)
end

-- share(owner, now, lease): let an owner share the lock for a lease (ms)
local function share(owner, now, lease)
	local nowMillis = math.floor(now / 1000)
	redis.call('ZADD', sharers, nowMillis + lease, owner)
	local life = redis.call('ZRANGE', sharers, -1, -1, 'WITHSCORES')[2] - nowMillis
	redis.call('PEXPIRE', sharers, life)
	redis.call('SET', lock, 'shared', 'PX', life)
end

-- alone(holder): the name of one who shares the lock alone, if the lock says so; the text
-- of a foreign owner may begin likewise
local function alone(holder)
	return holder and string.match(holder, '^shared (%x+:%w+)$')
end

-- spread(holder): if one shares the lock alone, with its name on the lock, move that name
-- to where there is room for others. A lock that somebody let stand without end is left.
-- returns the holder, as which the lock is known then
local function spread(holder)
	local owner = alone(holder)
	local life = owner and redis.call('PTTL', lock)
	if not owner or life < 0 then
		return holder
	end
	-- a write that Redis allows when out of memory, and so ZADD after it
	redis.call('DEL', lock)
	share(owner, micros(), math.max(1, life))
	return 'shared'
end

-- tell(...): send the JVM of a waiter that has been granted the lock the message
--     grant <owner> <token> <reserved> <time in us> <claim> <others queued> <lock key>
-- returns whether it may have heard
local function tell(waiter, token, reserved, now, claim, channels)
	return publish(channels, waiter, string.format('grant %s %.0f %.0f %.0f %d %d %s', waiter, token, reserved, now,
		claim, redis.call('HLEN', deadlines), lock))
end

-- grant(holders, last, channels, lease): make the first waiter that lives a holder for the
-- claim window, with a fencing token above 'last'; or, if it would share the lock, it and
-- those behind it who would too, with the last token. 'holders' is how many share the lock
-- now, 0 if nobody has it; 'lease' is how long a lease of this lock is (ms), 0 if that is
-- not known: of one taken by force, or handed over and not confirmed by replicas in time.
-- A waiter lives if its deadline is ahead and its JVM still listens on this server (in a
-- cluster that is not known).
-- returns the new owner; 'shared'; or nil if nobody has the lock: then the lock may carry
-- the name of one who does not listen, so that the caller must delete or set it. And
-- whether there is more to do: if so the lock is nobody's who comes only now, but some
-- call has to go on; all who wait do so when they ask again. If not, and nobody has the
-- lock, the queue is gone.
local deaf, looked = {}, 0
local function grant(holders, last, channels, lease)
	local claim = lease > 0 and math.min(window, lease) or window
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
			-- first of the writes, because Redis allows it when out of memory, and SET after it
			waiter = redis.call('LPOP', queue)
		else
			waiter = redis.call('LINDEX', queue, 0)
		end
		if not waiter then
			break
		end
		now = now or micros()
		local deadline, limit = string.match(redis.call('HGET', deadlines, waiter) or '0', '(%d+) ?(%d*)')
		local jvm = string.match(waiter, '^[^:]*')
		local lives = tonumber(deadline) >= now and not deaf[jvm]
		limit = tonumber(limit) or 1
		if lives and holders >= limit then
			break
		end
		if holders > 0 then
			redis.call('LPOP', queue)
		end
		redis.call('HDEL', deadlines, waiter)
		if lives and limit == 1 then
			local token = math.max(last + 1, now)
			local reserved = reserve(token, claim, now)
			redis.call('SET', lock, waiter, 'PX', claim)
			remember(reserved, claim, now)
			if tell(waiter, token, reserved, now, claim, channels) then
				return waiter, false
			end
			deaf[jvm] = true
		elseif lives then
			share(waiter, now, claim)
			granted[#granted + 1] = waiter
			holders = holders + 1
		end
	end

	if #granted > 0 then
		local token = last > 0 and last or now
		remember(token, claim, now)
		for _, waiter in ipairs(granted) do
			if not tell(waiter, token, token, now, claim, channels) then
				redis.call('ZREM', sharers, waiter)
				holders = holders - 1
			end
		end
		if holders == 0 then
			return grant(0, last, channels, lease)
		end
	end
	return holders > 0 and 'shared' or nil, more
end
