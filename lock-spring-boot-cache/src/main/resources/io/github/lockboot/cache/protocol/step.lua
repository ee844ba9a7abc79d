-- step.lua: one step of an evict, for a cluster that moves the slot of an entry and
-- rejects scripts with several keys. The steps in their order:
--   tombstone, KEYS[1] tombstone    ARGV[2] grace in ms  ARGV[3] time to keep it in ms
--   delete, KEYS[1] lease
--   delete, KEYS[1] entry           ARGV[2] channel of the cache's changes
-- ARGV[1] the step
-- Requires wake.lua.
-- returns {1} done
--         {0} there was nothing to delete
local key, step = KEYS[1], ARGV[1]

if step == 'delete' then
	local deleted = redis.call('DEL', key)
	if ARGV[2] then
		redis.pcall('PUBLISH', ARGV[2], key)
	end
	return {deleted}
end
-- Redis allows this write when out of memory, and then allows the SET that follows
redis.call('PEXPIRE', key, ARGV[3])
writeTombstone(key, tonumber(ARGV[2]), tonumber(ARGV[3]))
return {1}
