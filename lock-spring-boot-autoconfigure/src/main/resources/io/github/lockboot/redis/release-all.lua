-- release-all.lua: give several locks back, each as release.lua does.
-- KEYS, ARGV from 4 on: as in several.lua; the tokens are the highest that the owners have
-- given out, 0 if they have given out none
-- ARGV[1] how long tokens are remembered after their leases, in ms
-- ARGV[2] prefix of the channels     ARGV[3] claim window in ms
-- returns {released, ...}  of each lock as release.lua
local memory, channels, claim = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local released = {}
each(3, function(owner, lease, used, number)
	released[number] = giveBack(redis.call('GET', lock), owner, lease, used, memory, channels, claim)
end)
return released
