-- give-back.lua: what release.lua does with one lock, and release-all.lua with each.
-- giveBack(holder, owner, lease, used, channels): let the owner go of the lock that
-- 'holder' has now; the others as ARGV of release.lua
-- returns what release.lua returns
local function giveBack(holder, owner, lease, used, channels)
	if holder == owner then
		local last = used > 0 and used or tonumber(redis.call('GET', fence) or 0)
		if grant(0, last, channels, lease) then
			return 2
		end
		-- a write that Redis allows when out of memory, and so SET after it
		redis.call('DEL', lock)
		redis.call('SET', fence, string.format('%.0f', last), 'XX', 'KEEPTTL')
		return 1
	end

	if holder == 'shared ' .. owner then
		redis.call('DEL', lock)
		return 1
	end

	local removed = 0
	if holder == 'shared' then
		local holders = count(micros())
		removed = redis.call('ZREM', sharers, owner)
		if not grant(holders - removed, tonumber(redis.call('GET', fence) or 0), channels, lease) then
			redis.call('DEL', lock)
		end
	end
	if removed == 0 and redis.call('HDEL', deadlines, owner) == 1 then
		redis.call('LREM', queue, 0, owner)
	end
	return removed
end
