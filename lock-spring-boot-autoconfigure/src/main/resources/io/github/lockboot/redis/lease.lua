-- lease.lua: what acquire-free.lua and renew-owned.lua compute for one lease after the other.
-- Requires constants.lua.
if lease ~= ARGV[a + 2] then
	lease = ARGV[a + 2]
	local time = call('TIME')
	now = time[1] * 1000000 + time[2]
	reserved = string.format('%.0f', now + math.min(lease, ahead) * 1000)
	kept = string.format('%d', lease + memory)
end
