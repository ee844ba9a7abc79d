-- acquire-all.lua: hold several locks if all of them are free, or may be shared, or are
-- the caller's already; else none of them. Nobody queues here.
-- KEYS, ARGV from 3 on: as in several.lua; the tokens are the highest the caller has seen
-- ARGV[1] prefix of the channels
-- ARGV[2] how many may hold each lock together; 1 for exclusive locks
-- returns {1, token, reserved, queued, ...}  held; of each lock as the array
--                                            of acquire.lua
--         {0, pttl, ...}                     none held; of each lock for how many ms its
--                                            holder has it still, -1 without end, -2 if
--                                            it could have been held
local channels, limit = ARGV[1], tonumber(ARGV[2])
local now = micros()
local states, busy, waits = {}, false, {0}

-- look at all before anything is changed, but for a queue whose lock has no owner any more
each(2, function(owner, lease, seen, number)
	local holder = spread(redis.call('GET', lock))
	local holders, last, more = 0, nil, false
	if holder == 'shared' then
		holders = count(now)
		holder = redis.call('ZSCORE', sharers, owner) and owner or holders > 0 and holder
	end
	local had = not holder or holder == owner or holder == 'shared'
	if had then
		last = tonumber(redis.call('GET', fence) or 0)
		local queued = holder ~= owner and redis.call('EXISTS', queue) == 1
		if queued then
			holder, more = grant(holders, last, channels, lease)
			if not holder then
				redis.call('DEL', lock)
			end
			holders = holder == 'shared' and redis.call('ZCARD', sharers) or 0
			queued = redis.call('EXISTS', queue) == 1
		end
		had = (not holder and not more) or holder == owner or (holder == 'shared' and holders < limit and not queued)
	end
	states[number] = {last, holder}
	busy = busy or not had
	waits[number + 1] = had and -2 or redis.call('PTTL', lock)
end)
if busy then
	return waits
end

local held = {1}
each(2, function(owner, lease, seen, number)
	local last, holder = unpack(states[number], 1, 2)
	lease = holder == owner and keep(owner, lease, limit, now) or lease
	local token, reserved = own(owner, lease, last, seen, limit, now)
	held[3 * number - 1] = token
	held[3 * number] = reserved
	held[3 * number + 1] = holder and redis.call('HLEN', deadlines) or 0
end)
return held
