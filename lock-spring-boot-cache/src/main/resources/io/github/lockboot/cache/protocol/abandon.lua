-- abandon.lua: release a lease without an entry.
-- Requires wake.lua.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone
-- ARGV[1] attempt    ARGV[2] prefix of the channels
-- ARGV[3] pause in ms: no lease is granted for this time; 0 for no pause
-- returns {1} released; the waiters were notified to try again
--         {0} evicted meanwhile, or the lease has expired
local lease, waiters, attempt, channels = KEYS[2], KEYS[3], ARGV[1], ARGV[2]

if redis.pcall('GET', lease) ~= attempt then
	return {0}
end
if tonumber(ARGV[3]) > 0 then
	redis.call('PEXPIRE', lease, ARGV[3])
else
	redis.call('DEL', lease)
end
wake(waiters, channels, 'F', '')
return {1}
