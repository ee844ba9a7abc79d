-- grant.lua: part of the scripts that let go of a lock, put in front of them.
-- grant(lock, fence, queue, deadlines, last, memory, channels, claim) makes the first
-- waiter that lives the owner for the claim window (ms), with a fencing token above
-- 'last', and tells its JVM by a message
--     grant <owner> <token> <reserved> <time in us> <claim> <others queued> <lock key>
-- A waiter lives if its deadline is ahead and its JVM still listens on this server.
-- returns the new owner; or nil if nobody lives: then the queue is gone, and the lock may
-- carry the name of one who does not listen, so that the caller must delete or set it.
local function micros()
	local time = redis.call('TIME')
	return time[1] * 1000000 + time[2]
end

local function channel(channels, owner)
	return channels .. string.match(owner, '^[^:]*')
end

-- The highest token in use if the owner has used none of those it reserved, one for each
-- microsecond of its lease: what is left of them lies as far ahead as the end of the lease.
-- A clock that was set back may leave more time than the lease.
local function lastused(lock, fence, lease)
	local reserved = tonumber(redis.call('GET', fence) or 0)
	return math.max(0, reserved - math.min(redis.call('PTTL', lock), lease) * 1000)
end

local function grant(lock, fence, queue, deadlines, last, memory, channels, claim)
	local now
	while true do
		-- first of the writes, because Redis allows it when out of memory, and SET after it
		local waiter = redis.call('LPOP', queue)
		if not waiter then
			return nil
		end
		now = now or micros()
		local deadline = tonumber(redis.call('HGET', deadlines, waiter) or 0)
		redis.call('HDEL', deadlines, waiter)
		if deadline >= now then
			local token = math.max(last + 1, now)
			local reserved = token + claim * 1000
			redis.call('SET', lock, waiter, 'PX', claim)
			redis.call('SET', fence, string.format('%.0f', reserved), 'PX', claim + memory)
			-- last, and by pcall: this user may lack the channel, and the waiter asks again anyway
			local listeners = redis.pcall('PUBLISH', channel(channels, waiter),
				string.format('grant %s %.0f %.0f %.0f %d %d %s', waiter, token, reserved, now, claim,
					redis.call('LLEN', queue), lock))
			if listeners ~= 0 then
				return waiter
			end
		end
	end
end
