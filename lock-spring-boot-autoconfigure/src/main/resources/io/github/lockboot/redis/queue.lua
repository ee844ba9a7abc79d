-- queue.lua: the order of those who wait for a lock, behind grant.lua. Where the queue is
-- short it holds nobody else; one who leaves a long one stays there until it is first or
-- the queue is swept.
local short = 100

-- isOurs(holder): whether the lock is nobody's, or of one who hands it over
local function isOurs(holder)
	return not holder or holder == 'shared'
			or string.match(holder, '^%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x:%w+$')
end

-- enqueue(waiter, since): let a waiter queue behind all others, or, one who has queued
-- before, behind those who have waited for longer. Those of an older version don't say
-- since when they wait, and come after it.
-- returns how long the queue is then
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

-- isFirst(waiter): whether nobody waits before it, if that can be told soon
local function isFirst(waiter)
	for _ = 1, short do
		local other = redis.call('LINDEX', queue, 0)
		if other == waiter or not other or redis.call('HGET', deadlines, other) then
			return other == waiter
		end
		redis.call('LPOP', queue)
	end
end

-- sweep(): remove all who have left from the queue
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

-- leave(waiter): let a waiter leave the queue, if it is in there
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
