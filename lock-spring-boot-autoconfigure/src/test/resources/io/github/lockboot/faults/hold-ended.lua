-- hold-ended.lua: record the end of a hold, and increment the counters of its lock.
-- KEYS[1] counters of the lock: a hash    KEYS[2] history    KEYS[3] progress: a hash
-- ARGV[1] fencing token                   ARGV[2] words of the history entry
-- ARGV[3], ARGV[4] values that were read from the fenced counter and from the plain one;
-- -1 to write nothing                     ARGV[5] field of the progress
-- returns {accepted}  1 if the fence accepted the token
local counters, history, progress = KEYS[1], KEYS[2], KEYS[3]
local token, words, fenced, plain, field = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]

local highest = redis.call('HGET', counters, 'highest') or '0'
-- compared as text: tokens of this size exceed the precision of Lua's numbers
local accepted = (#token > #highest or #token == #highest and token >= highest) and 1 or 0

if fenced >= 0 then
	if accepted == 1 then
		redis.call('HSET', counters, 'highest', token, 'fenced', fenced + 1)
	end
	if tonumber(redis.call('HGET', counters, 'plain') or 0) ~= plain then
		redis.call('HINCRBY', counters, 'lostUpdates', 1)
	end
	redis.call('HSET', counters, 'plain', plain + 1)
end
redis.call('RPUSH', history, string.format('end %s %d %d', words, fenced, accepted))
redis.call('HINCRBY', progress, field, 1)
return {accepted}
