-- step.lua: one step of an evict or of the end of a lease, for a cluster that moves
-- the slot of an entry and so refuses scripts with several keys. An evict in this order:
--   bury, KEYS[1] tombstone    ARGV[2] grace in ms    ARGV[3] its memory in ms
--   delete, KEYS[1] lease
--   delete, KEYS[1] entry      ARGV[2] channel of the cache's changes
--   wake, KEYS[1] waiters      ARGV[2] prefix of the channels
-- and the end of a lease, before a wake:
--   end, KEYS[1] lease         ARGV[2] attempt
-- and before an evict that stands for a put of a version:
--   version, KEYS[1] version   ARGV[2] version      ARGV[3] its memory in ms
-- ARGV[1] the step
-- returns {1} done; {0} there was nothing to delete, the lease is another's, or the version
--         is not higher than the one that is known
local key, step = KEYS[1], ARGV[1]

if step == 'bury' then
	bury(key, tonumber(ARGV[2]), tonumber(ARGV[3]))
elseif step == 'wake' then
	wake(key, ARGV[2], 'E', '')
elseif step == 'end' then
	return {redis.call('GET', key) == ARGV[2] and redis.call('DEL', key) or 0}
elseif step == 'version' then
	if not is_newer(key, ARGV[2]) then
		return {0}
	end
	redis.call('SET', key, ARGV[2], 'PX', ARGV[3])
else
	local deleted = redis.call('DEL', key)
	if ARGV[2] then
		redis.pcall('PUBLISH', ARGV[2], key)
	end
	return {deleted}
end
return {1}
