-- release-all.lua: give several locks back, each as release.lua does.
-- KEYS, ARGV from 2 on: as in several.lua; the tokens are the highest that the owners have
-- given out, 0 if they have given out none
-- ARGV[1] prefix of the channels
-- returns {released, ...}  of each lock as release.lua
local released = {}
each(1, function(owner, lease, used, number)
	released[number] = giveBack(redis.call('GET', lock), owner, lease, used, ARGV[1])
end)
return released
