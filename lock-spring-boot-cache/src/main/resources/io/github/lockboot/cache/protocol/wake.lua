-- wake.lua: functions of store.lua, abandon.lua, evict.lua, step.lua and put.lua.

-- Notify the attempts that wait for a load of its end, and remove them. Each instance has a
-- channel. Without the permission to publish, the waiters try again when the lease expires.
local function wake(waiters, channels, kind, payload)
	-- a key of another type has none
	local waiting = redis.pcall('SMEMBERS', waiters)
	redis.call('DEL', waiters)
	for _, waiter in ipairs(waiting) do
		local instance, attempt = string.match(waiter, '^(%w+):(%w+)$')
		if instance then
			redis.pcall('PUBLISH', channels .. instance, kind .. ' ' .. attempt .. ' ' .. payload)
		end
	end
end

-- Notify the waiters with the entry itself if it is short, else to read it.
local function wakeWith(waiters, channels, entry, longest)
	if #entry <= tonumber(longest) then
		wake(waiters, channels, 'V', entry)
	else
		wake(waiters, channels, 'R', '')
	end
end

-- Store the time of a change of the entry: loads of older data must not be stored. A grace
-- that ends later than this one remains.
local function writeTombstone(tombstone, grace, memory)
	local time = redis.call('TIME')
	local micros = time[1] * 1000000 + time[2]
	local known = redis.pcall('GET', tombstone)
	local ends = type(known) == 'string' and tonumber(string.match(known, '^%d+ (%d+)$') or '') or 0
	ends = math.max(ends, micros + grace * 1000)
	local text = string.format('%.0f', micros)
	if ends > micros then
		text = text .. ' ' .. string.format('%.0f', ends)
	end
	redis.call('SET', tombstone, text, 'PX', math.ceil((ends - micros) / 1000) + memory)
end
