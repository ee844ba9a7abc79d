-- wake.lua: what store.lua, abandon.lua, evict.lua and put.lua begin with.

-- Tell the JVMs that wait for a load that it has ended, and forget them. Each is told on
-- its own channel; a user without the right to publish lets them wait until they ask.
local function wake(waiters, channels, kind, payload)
	local waiting = redis.call('SMEMBERS', waiters)
	if #waiting == 0 then
		return
	end
	redis.call('DEL', waiters)
	for _, waiter in ipairs(waiting) do
		local instance, attempt = string.match(waiter, '^(%w+):(%w+)$')
		if instance then
			redis.pcall('PUBLISH', channels .. instance, kind .. ' ' .. attempt .. ' ' .. payload)
		end
	end
end

-- Wake with the entry itself if it is short, else with the advice to read it.
local function wake_with(waiters, channels, entry, longest)
	if #entry <= tonumber(longest) then
		wake(waiters, channels, 'V', entry)
	else
		wake(waiters, channels, 'R', '')
	end
end

-- Say when the entry was changed: no view of the data that is older may be stored.
local function bury(tombstone, grace, memory)
	local time = redis.call('TIME')
	local micros = time[1] * 1000000 + time[2]
	local text = string.format('%.0f', micros)
	if grace > 0 then
		text = text .. ' ' .. string.format('%.0f', micros + grace * 1000)
	end
	redis.call('SET', tombstone, text, 'PX', math.max(grace, memory))
	return text
end
