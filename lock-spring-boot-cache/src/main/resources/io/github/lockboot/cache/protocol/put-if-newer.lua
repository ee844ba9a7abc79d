-- put-if-newer.lua: put.lua, unless an entry with the same or a higher version was put.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone    KEYS[5] version
-- ARGV[1] entry, '' to evict it
-- ARGV[2] how long it lives, and its version is remembered, in ms
-- ARGV[3] how long the time of the put is remembered at least, in ms
-- ARGV[4] prefix of the channels    ARGV[5] longest entry that is pushed, in bytes
-- ARGV[6] channel of the cache's changes
-- ARGV[7] version: 16 hexadecimal digits whose order is that of the versions
-- returns {1} stored
--         {0} not stored, since it is not newer, or evicted as by put.lua
local known, millis, version = KEYS[5], math.max(tonumber(ARGV[2]), tonumber(ARGV[3])), ARGV[7]

if not is_newer(known, version) then
	return {0}
end
-- first, since out of memory only what follows a delete is taken
local stored = put(KEYS, ARGV)
redis.call('SET', known, version, 'PX', millis)
return {stored and 1 or 0}
