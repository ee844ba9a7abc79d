-- release-last.lua: the beginning of release.lua, for an owner without waiters. Requires
-- constants.lua. Most calls end here, before the functions of handover.lua are created.
-- KEYS, ARGV and what it returns: as release.lua
-- include release-owned.lua
if holder == 'shared ' .. ARGV[1] then
	call('DEL', KEYS[1])
	return 1
end
if holder == 'shared' and call('EXISTS', KEYS[3]) == 0 and call('ZCARD', KEYS[6]) == 1
		and call('ZREM', KEYS[6], ARGV[1]) == 1 then
	call('DEL', KEYS[1])
	return 1
end
