-- evict.lua: delete an entry, and refuse a load of it that began before.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone
-- ARGV[1] grace in ms: entries loaded during it live no longer than it
-- ARGV[2] how long the time of the evict is remembered at least, in ms
-- ARGV[3] prefix of the channels    ARGV[4] channel of the cache's changes
-- returns {1} there was an entry, {0} there was none
local data, lease, waiters, tombstone = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local grace, memory, channels, changes = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]

-- a write that Redis allows when out of memory, and so SET after it
local deleted = redis.call('DEL', data)
redis.call('DEL', lease)
write_tombstone(tombstone, grace, memory)
wake(waiters, channels, 'E', '')
redis.pcall('PUBLISH', changes, data)
return {deleted}
