-- leave.lua: end a hold, and write the counters of its lock if it has anything to write.
-- KEYS[1] counters of the lock: a hash    KEYS[2] history    KEYS[3] progress: a hash
-- ARGV[1] fencing token                   ARGV[2] words of the history on the hold
-- ARGV[3], ARGV[4] values that were read of the fenced counter and of the plain one, -1
-- to write nothing                        ARGV[5] whose progress this is
-- returns {passed}  1 if the fence let the hold pass
local counters, history, progress = KEYS[1], KEYS[2], KEYS[3]
local token, words, fenced, plain, actor = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]

local highest = redis.call('HGET', counters, 'highest') or '0'
-- as texts: a number of Lua can't tell tokens of this size apart
local passed = (#token > #highest or #token == #highest and token >= highest) and 1 or 0

if fenced >= 0 then
	if passed == 1 then
		redis.call('HSET', counters, 'highest', token, 'fenced', fenced + 1)
	end
	if tonumber(redis.call('HGET', counters, 'plain') or 0) ~= plain then
		redis.call('HINCRBY', counters, 'overwritten', 1)
	end
	redis.call('HSET', counters, 'plain', plain + 1)
end
redis.call('RPUSH', history, string.format('leave %s %d %d', words, fenced, passed))
redis.call('HINCRBY', progress, actor, 1)
return {passed}
