-- release-owned.lua: the part of release.lua for an exclusive owner without waiters, whose
-- highest token is known. Requires constants.lua.
local holder = call('GET', KEYS[k + 1])
if holder == ARGV[a + 1] and ARGV[a + 2] ~= '0' and call('EXISTS', KEYS[k + 3]) == 0 then
	-- Redis permits this write when out of memory, and SET after it
	call('DEL', KEYS[k + 1])
	call('SET', KEYS[k + 2], ARGV[a + 2], 'XX', 'KEEPTTL')
	return 1
end
