-- renew.lua: renew a lease during its load.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone
-- ARGV[1] attempt    ARGV[2] lease in ms
-- returns {1} renewed
--         {0} evicted meanwhile, or the lease has expired
local lease, attempt, millis = KEYS[2], ARGV[1], ARGV[2]

if redis.pcall('GET', lease) ~= attempt then
	return {0}
end
redis.call('PEXPIRE', lease, millis)
return {1}
