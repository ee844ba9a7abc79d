-- store.lua: store an entry that was loaded under a lease, if the lease is still held.
-- Requires wake.lua.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone
-- ARGV[1] attempt    ARGV[2] entry    ARGV[3] life of the entry in ms
-- ARGV[4] prefix of the channels    ARGV[5] longest entry to push, in bytes
-- returns {1} stored; the waiters were notified
--         {0} rejected: evicted meanwhile, or the lease has expired
local data, lease, waiters = KEYS[1], KEYS[2], KEYS[3]
local attempt, entry, millis, channels, longest = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

if redis.call('GET', lease) ~= attempt then
	return {0}
end
redis.call('SET', data, entry, 'PX', millis)
redis.call('DEL', lease)
wakeWith(waiters, channels, entry, longest)
return {1}
