-- acquire-first.lua: the beginning of acquire.lua, for a free lock without a queue. Requires
-- constants.lua. Most calls end here, before the functions of handover.lua are created.
-- KEYS, ARGV and what it returns: as acquire.lua
if ARGV[4] == '1' then
	-- include acquire-free.lua
elseif call('EXISTS', KEYS[1], KEYS[3], KEYS[4], KEYS[6]) == 0 then
	local last = tonumber(call('GET', KEYS[2]) or 0)
	local token = math.max(last, ARGV[3])
	call('SET', KEYS[1], 'shared ' .. ARGV[1], 'PX', ARGV[2])
	if last > 0 and token == last then
		-- do not shorten the life of a token ahead of the time of Redis
		if redis.REDIS_VERSION_NUM then
			call('PEXPIRE', KEYS[2], ARGV[2] + memory, 'GT')
		else
			call('PEXPIRE', KEYS[2], ARGV[2] + memory)
		end
		return token
	end
	if last == 0 then
		-- the token may be forgotten, and a later one than the caller has seen
		local time = call('TIME')
		token = math.max(token, time[1] * 1000000 + time[2])
	end
	call('SET', KEYS[2], token, 'PX', ARGV[2] + memory)
	return token
end
local holder = call('GET', KEYS[1])
