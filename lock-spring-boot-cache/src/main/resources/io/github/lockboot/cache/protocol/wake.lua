-- wake.lua: what store.lua, abandon.lua, evict.lua, step.lua and the puts begin with.

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

-- Say when the entry was changed: no view of the data that is older may be stored. A
-- grace that ends later than this one still holds.
local function write_tombstone(tombstone, grace, memory)
	local time = redis.call('TIME')
	local micros = time[1] * 1000000 + time[2]
	local known = redis.pcall('GET', tombstone)
	local ends = type(known) == 'string' and tonumber(string.match(known, '^%d+ (%d+)$') or '') or 0
	ends = math.max(ends, micros + grace * 1000)
	local text = string.format('%.0f', micros)
	if ends > micros then
		text = text .. ' ' .. string.format('%.0f', ends)
	end
	redis.call('SET', tombstone, text, 'PX', math.max(math.ceil((ends - micros) / 1000), memory))
end

-- Put an entry, with the keys and the first six arguments of put.lua; return whether it is
-- stored. An empty one only deletes the old one. Out of memory Redis refuses to store, and
-- still deletes; after a delete it takes what follows.
local function put(keys, arguments)
	local data, lease, waiters, tombstone = keys[1], keys[2], keys[3], keys[4]
	local entry, millis, memory = arguments[1], arguments[2], tonumber(arguments[3])
	local channels, longest, changes = arguments[4], arguments[5], arguments[6]

	local stored = entry ~= '' and not redis.pcall('SET', data, entry, 'PX', millis).err
	if not stored then
		redis.call('DEL', data)
	end
	redis.call('DEL', lease)
	write_tombstone(tombstone, 0, memory)
	if stored then
		wake_with(waiters, channels, entry, longest)
	else
		wake(waiters, channels, 'E', '')
	end
	redis.pcall('PUBLISH', changes, data)
	return stored
end
