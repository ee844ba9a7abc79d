-- put-if-newer.lua: put.lua, unless an entry with the same or a higher version was put.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone    KEYS[5] version
-- ARGV[1] entry    ARGV[2] how long it lives, and its version is remembered, in ms
-- ARGV[3] how long the time of the put is remembered at least, in ms
-- ARGV[4] prefix of the channels    ARGV[5] longest entry that is pushed, in bytes
-- ARGV[6] channel of the cache's changes
-- ARGV[7] version: 16 hexadecimal digits whose order is that of the versions
-- returns {1} stored
--         {0} not stored
local data, lease, waiters, tombstone, stored = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local entry, millis, memory = ARGV[1], ARGV[2], tonumber(ARGV[3])
local channels, longest, changes, version = ARGV[4], ARGV[5], ARGV[6], ARGV[7]

if not remember(stored, version, math.max(tonumber(millis), memory)) then
	return {0}
end
redis.call('SET', data, entry, 'PX', millis)
redis.call('DEL', lease)
bury(tombstone, 0, memory)
wake_with(waiters, channels, entry, longest)
redis.pcall('PUBLISH', changes, data)
return {1}
