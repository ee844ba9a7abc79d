-- release-last.lua: the beginning of release.lua, for an owner without waiters. Most calls
-- end here, before the functions of handover.lua are created.
-- KEYS, ARGV and what it returns: as release.lua
local call = redis.call
local holder = call('GET', KEYS[1])
if holder == ARGV[1] and ARGV[3] ~= '0' and call('EXISTS', KEYS[3]) == 0 then
	-- Redis permits this write when out of memory, and SET after it
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
