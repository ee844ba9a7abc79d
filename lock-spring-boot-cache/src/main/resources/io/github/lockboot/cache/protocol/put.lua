-- put.lua: store an entry, and refuse a load of it that began before.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone
-- ARGV[1] entry, '' to evict it    ARGV[2] how long it lives, in ms
-- ARGV[3] how long the time of the put is remembered at least, in ms
-- ARGV[4] prefix of the channels    ARGV[5] longest entry that is pushed, in bytes
-- ARGV[6] channel of the cache's changes
-- returns {1} stored
--         {0} evicted, also if Redis is out of memory
return {put(KEYS, ARGV) and 1 or 0}
