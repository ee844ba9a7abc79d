-- queue.lua: the order of the waiters for a lock. Requires handover.lua. A short queue
-- contains waiters only; one that leaves a long queue stays there until it is first or the
-- queue is swept.
local short = 100

-- isKept(holder): whether the lock is released, but stays held for a minimum hold time
local function isKept(holder)
	return holder and string.sub(holder, 1, 5) == 'kept '
end

-- isOurs(holder): whether the lock is free, or its holder hands it over, or it is kept
local function isOurs(holder)
	return not holder or holder == 'shared' or isKept(holder)
			or string.match(holder, '^%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x:%w+$')
end

-- enqueue(waiter, since): append a waiter to the queue, or insert one that has queued before
-- behind those that have waited longer. Entries of an older version lack the time; they come
-- after it.
-- returns the length of the queue
local function enqueue(waiter, since)
	local from, to = 0, since and redis.call('LLEN', queue) or 0
	local behind
	while from < to do
		local middle = math.floor((from + to) / 2)
		local other = redis.call('LINDEX', queue, middle)
		local entry = redis.call('HGET', deadlines, other)
		if entry and (tonumber(string.match(entry, '^%d+ %d+ (%d+)')) or math.huge) > since then
			behind, to = other, middle
		else
			from = middle + 1
		end
	end
	return behind and redis.call('LINSERT', queue, 'BEFORE', behind, waiter) or redis.call('RPUSH', queue, waiter)
end

-- isFirst(waiter): whether no other waiter is in front of it; false if that takes too long
local function isFirst(waiter)
	for _ = 1, short do
		local other = redis.call('LINDEX', queue, 0)
		if other == waiter or not other or redis.call('HGET', deadlines, other) then
			return other == waiter
		end
		redis.call('LPOP', queue)
	end
end

-- sweep(): remove from the queue all that have left
local function sweep()
	local waits, left, life = {}, {}, redis.call('PTTL', queue)
	for _, waiter in ipairs(redis.call('HKEYS', deadlines)) do
		waits[waiter] = true
	end
	for _, waiter in ipairs(redis.call('LRANGE', queue, 0, -1)) do
		if waits[waiter] then
			left[#left + 1] = waiter
			waits[waiter] = nil
		end
	end
	redis.call('DEL', queue)
	for start = 1, #left, 1000 do
		redis.call('RPUSH', queue, unpack(left, start, math.min(start + 999, #left)))
	end
	redis.call('PEXPIRE', queue, life)
end

-- leave(waiter): remove a waiter from the queue
local function leave(waiter)
	if redis.call('HDEL', deadlines, waiter) == 0 then
		return
	end
	local waiting = redis.call('HLEN', deadlines)
	if waiting == 0 then
		redis.call('DEL', queue)
		return
	end
	local length = redis.call('LLEN', queue)
	if length <= short then
		redis.call('LREM', queue, 0, waiter)
	elseif length > 2 * waiting + short then
		sweep()
	end
end
