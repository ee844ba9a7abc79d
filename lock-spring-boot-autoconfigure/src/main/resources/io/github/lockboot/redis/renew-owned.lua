-- renew-owned.lua: the beginning of renew.lua, for an exclusive owner that may grant further
-- tokens, without waiters. Requires constants.lua. Most calls end here, before the functions of
-- handover.lua are created.
local holder = call('GET', KEYS[k + 1])
if holder == ARGV[a + 1] and ARGV[a + 3] == '0' and call('EXISTS', KEYS[k + 3], KEYS[k + 4]) == 0 then
	-- include lease.lua
	local further = math.max(reserved, call('GET', KEYS[k + 2]) or 0)
	-- Redis permits this write when out of memory, and SET after it
	call('PEXPIRE', KEYS[k + 1], lease)
	call('SET', KEYS[k + 2], further, 'PX', math.max(lease, math.floor((further - now) / 1000)) + memory)
	return {1, further, 0}
end
