-- put.lua: store an entry, and reject a load of it that began before.
-- Requires wake.lua.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone
-- ARGV[1] entry, '' to evict it    ARGV[2] life of the entry in ms
-- ARGV[3] minimum time in ms to keep the time of the put
-- ARGV[4] prefix of the channels    ARGV[5] longest entry to push, in bytes
-- ARGV[6] channel of the cache's changes
-- returns {1} stored
--         {0} evicted, or evicted because Redis is out of memory
return {put(KEYS, ARGV) and 1 or 0}
