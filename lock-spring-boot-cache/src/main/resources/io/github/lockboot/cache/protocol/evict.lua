-- evict.lua: delete an entry, and reject a load of it that began before.
-- Requires wake.lua.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone
-- ARGV[1] grace in ms: entries that are loaded during this time expire with it
-- ARGV[2] minimum time in ms to keep the time of the evict
-- ARGV[3] prefix of the channels    ARGV[4] channel of the cache's changes
-- returns {1} there was an entry, {0} there was none
local data, lease, waiters, tombstone = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local grace, memory, channels, changes = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]

-- Redis allows this write when out of memory, and then allows the SET that follows
local deleted = redis.call('DEL', data)
redis.call('DEL', lease)
writeTombstone(tombstone, grace, memory)
wake(waiters, channels, 'E', '')
redis.pcall('PUBLISH', changes, data)
return {deleted}
