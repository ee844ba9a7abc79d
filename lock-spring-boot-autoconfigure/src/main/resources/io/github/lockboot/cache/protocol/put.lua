-- put.lua: store an entry, and refuse a load of it that began before.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone
-- ARGV[1] entry    ARGV[2] how long it lives, in ms
-- ARGV[3] how long the time of the put is remembered at least, in ms
-- ARGV[4] prefix of the channels    ARGV[5] longest entry that is pushed, in bytes
-- ARGV[6] channel of the cache's changes
-- returns {1}
local data, lease, waiters, tombstone = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local entry, millis, memory = ARGV[1], ARGV[2], tonumber(ARGV[3])
local channels, longest, changes = ARGV[4], ARGV[5], ARGV[6]

redis.call('SET', data, entry, 'PX', millis)
redis.call('DEL', lease)
bury(tombstone, 0, memory)
wake_with(waiters, channels, entry, longest)
redis.pcall('PUBLISH', changes, data)
return {1}
