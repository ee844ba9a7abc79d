-- put-if-newer.lua: like put.lua, unless the same or a higher version was put.
-- Requires wake.lua and version.lua.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone    KEYS[5] version
-- ARGV[1] entry, '' to evict it
-- ARGV[2] life of the entry and its version in ms
-- ARGV[3] minimum time in ms to keep the time of the put
-- ARGV[4] prefix of the channels    ARGV[5] longest entry to push, in bytes
-- ARGV[6] channel of the cache's changes
-- ARGV[7] version: 16 hexadecimal digits in the order of the versions
-- returns {1} stored
--         {0} not newer, or evicted as by put.lua
local known, millis, version = KEYS[5], math.max(tonumber(ARGV[2]), tonumber(ARGV[3])), ARGV[7]

if not isNewer(known, version) then
	return {0}
end
-- first: when out of memory, Redis allows a write only after a delete
local stored = put(KEYS, ARGV)
redis.call('SET', known, version, 'PX', millis)
return {stored and 1 or 0}
