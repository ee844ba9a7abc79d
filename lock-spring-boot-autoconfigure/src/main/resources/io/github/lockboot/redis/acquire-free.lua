-- acquire-free.lua: the beginning of acquire.lua, for a free lock without a queue. Requires
-- constants.lua. Most calls end here, before the functions of handover.lua are created, and
-- return a number, because an array costs more than reading two keys.
-- KEYS, ARGV and what it returns: as acquire.lua
local call = redis.call
local holder = call('GET', KEYS[1])
if not holder and ARGV[4] == '1' and call('EXISTS', KEYS[3]) == 0 then
	local time = call('TIME')
	local now = time[1] * 1000000 + time[2]
	local last = math.max(call('GET', KEYS[2]) or 0, ARGV[3])
	local reserved = now + math.min(ARGV[2], ahead) * 1000
	call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
	if last < now then
		call('SET', KEYS[2], reserved, 'PX', ARGV[2] + memory)
		return now
	end
	reserved = math.max(reserved, last + 1 + few)
	call('SET', KEYS[2], reserved, 'PX', math.max(ARGV[2], math.floor((reserved - now) / 1000)) + memory)
	return {1, last + 1, reserved, 0}
end
if not holder and ARGV[4] ~= '1' and call('EXISTS', KEYS[3], KEYS[5]) == 0 then
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
