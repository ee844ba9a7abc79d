-- store.lua: store what was loaded under a lease, if the lease still stands.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone
-- ARGV[1] attempt    ARGV[2] entry    ARGV[3] how long it lives, in ms
-- ARGV[4] prefix of the channels    ARGV[5] longest entry that is pushed, in bytes
-- returns {1} stored; those who wait were woken
--         {0} refused: evicted meanwhile, or the lease has ended
local data, lease, waiters = KEYS[1], KEYS[2], KEYS[3]
local attempt, entry, millis, channels, longest = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

if redis.call('GET', lease) ~= attempt then
	return {0}
end
redis.call('SET', data, entry, 'PX', millis)
redis.call('DEL', lease)
wake_with(waiters, channels, entry, longest)
return {1}
