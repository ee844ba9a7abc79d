-- release-last.lua: the beginning of release.lua, for an owner that nobody waits behind.
-- Most calls end here, before the functions of grant.lua are made.
-- KEYS, ARGV and what it returns: as release.lua
local call = redis.call
local holder = call('GET', KEYS[1])
if holder == ARGV[1] and ARGV[3] ~= '0' and call('EXISTS', KEYS[3]) == 0 then
	-- a write that Redis allows when out of memory, and so SET after it
	call('DEL', KEYS[1])
	call('SET', KEYS[2], ARGV[3], 'XX', 'KEEPTTL')
	return 1
end
if holder == 'shared ' .. ARGV[1] then
	call('DEL', KEYS[1])
	return 1
end
if holder == 'shared' and call('EXISTS', KEYS[3]) == 0 and call('ZCARD', KEYS[5]) == 1
		and call('ZREM', KEYS[5], ARGV[1]) == 1 then
	call('DEL', KEYS[1])
	return 1
end
