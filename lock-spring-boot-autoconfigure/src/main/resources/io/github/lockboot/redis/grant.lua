-- grant.lua: part of the scripts that let go of a lock, put in front of them.
-- grant(lock, fence, queue, deadlines, last, memory, channels, claim) makes the first
-- waiter that lives the owner for the claim window (ms), with a fencing token above
-- 'last', and tells its JVM by a message
--     grant <owner> <token> <reserved> <time in us> <claim> <others queued> <lock key>
-- A waiter lives if its deadline is ahead and its JVM still listens on this server (in a
-- cluster that is not known).
-- returns the new owner; or nil if nobody lives: then the queue is gone, and the lock may
-- carry the name of one who does not listen, so that the caller must delete or set it.
local function micros()
	local time = redis.call('TIME')
	return time[1] * 1000000 + time[2]
end

-- publish(channels, owner, message) tells the JVM of an owner, by pcall: this user may lack
-- the channel. In a cluster the prefix ends with a hash tag, of this node's sharded channels,
-- or with an empty one for other channels; who listens on another node isn't counted there.
-- returns whether that JVM may have heard
local function publish(channels, owner, message)
	local channel = channels .. string.match(owner, '^[^:]*')
	if string.sub(channels, -1) ~= '}' then
		return redis.pcall('PUBLISH', channel, message) ~= 0
	end
	redis.pcall(string.sub(channels, -2) == '{}' and 'PUBLISH' or 'SPUBLISH', channel, message)
	return true
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
			-- last, because the waiter asks again anyway
			local heard = publish(channels, waiter, string.format('grant %s %.0f %.0f %.0f %d %d %s', waiter,
				token, reserved, now, claim, redis.call('LLEN', queue), lock))
			if heard then
				return waiter
			end
		end
	end
end
