-- acquire.lua: return the entry if it exists, else acquire the lease to load it.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone
-- ARGV[1] attempt, which becomes the owner of the lease
-- ARGV[2] lease in ms
-- ARGV[3] beginning of an entry that the caller has read and can't use, '' for none
-- ARGV[4] instance to notify when the load of another attempt ends, '' for none
-- ARGV[5] Redis time in us since when the caller has seen no change of the data, '' if it
--         sees all changes
-- ARGV[6] Redis time in us that has passed by the clock of the caller, if ARGV[5] is not ''
-- returns {1, entry}    the entry, if it is not the one that the caller can't use
--         {2, grace, ends}  acquired; in a grace, the entry must expire within grace ms, and at
--                       the Redis time ends in us
--         {2, 0}        acquired without a grace
--         {3, pttl}     another attempt loads; its lease expires in pttl ms
--         {4}           changed since ARGV[5], or in a grace then that has ended: a load of
--                       the caller must not be stored
--         {4, 0}        the clock of Redis was set back, so that nobody knows
local data, lease, waiters, tombstone = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local attempt, millis, rejected, instance, seen = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

-- a key of another type is a miss
local entry = redis.pcall('GET', data)
if type(entry) == 'string' and string.sub(entry, 1, 32) ~= rejected then
	return {1, entry}
end

if seen ~= '' then
	local time = redis.call('TIME')
	if time[1] * 1000000 + time[2] < tonumber(ARGV[6]) then
		return {4, 0}
	end
end
local known = redis.pcall('GET', tombstone)
if type(known) == 'table' then
	redis.call('DEL', tombstone)
end
local changed, ends = string.match(type(known) == 'string' and known or '', '^(%d+) ?(%d*)$')
if changed and seen ~= '' and tonumber(changed) >= tonumber(seen) then
	return {4}
end
local grace = 0
if ends and ends ~= '' then
	local time = redis.call('TIME')
	grace = math.max(0, math.ceil((tonumber(ends) - time[1] * 1000000 - time[2]) / 1000))
	-- a transaction that began in the grace reads the data of then
	if grace == 0 and seen ~= '' and tonumber(seen) < tonumber(ends) then
		return {4}
	end
end
if grace == 0 then
	ends = nil
end

if redis.call('EXISTS', lease) == 1 then
	local pttl = redis.call('PTTL', lease)
	if pttl < 0 then
		-- a lease without expiry would block the entry forever
		redis.call('PEXPIRE', lease, millis)
		pttl = tonumber(millis)
	end
	if instance ~= '' then
		local waiter = instance .. ':' .. attempt
		if type(redis.pcall('SADD', waiters, waiter)) == 'table' then
			-- a key of another type
			redis.call('DEL', waiters)
			redis.call('SADD', waiters, waiter)
		end
		redis.call('PEXPIRE', waiters, pttl + 10000)
	end
	return {3, pttl}
end

redis.call('SET', lease, attempt, 'PX', millis)
return {2, grace, ends}
