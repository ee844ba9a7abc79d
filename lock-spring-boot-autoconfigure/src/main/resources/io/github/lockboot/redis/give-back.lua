-- give-back.lua: what release.lua does with one lock, and release-all.lua with each.
-- giveBack(holder, owner, lease, used, channels): let the owner go of the lock that
-- 'holder' has now; the others as ARGV of release.lua
-- returns what release.lua returns
local function giveBack(holder, owner, lease, used, channels)
	if holder == owner then
		local last = used > 0 and used or tonumber(redis.call('GET', fence) or 0)
		local next, more = grant(0, last, channels, lease)
		if next then
			return 2
		end
		-- a write that Redis allows when out of memory, and so SET after it
		redis.call('DEL', lock)
		redis.call('SET', fence, string.format('%.0f', last), 'XX', 'KEEPTTL')
		return more and 3 or 1
	end

	if holder == 'shared ' .. owner then
		redis.call('DEL', lock)
		return 1
	end

	local removed, holders = 0, 0
	if holder == 'shared' then
		holders = count(micros())
		removed = redis.call('ZREM', sharers, owner)
		holders = holders - removed
	end
	if removed == 0 then
		leave(owner)
	end
	if holder == 'shared' or (not holder and redis.call('EXISTS', queue) == 1) then
		-- also of a lock that is free, because the call before had more to do
		local next, more = grant(holders, tonumber(redis.call('GET', fence) or 0), channels, lease)
		if not next then
			redis.call('DEL', lock)
		end
		return more and 3 or removed
	end
	return removed
end
