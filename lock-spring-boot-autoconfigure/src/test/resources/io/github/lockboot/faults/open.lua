-- open.lua: read the counters of a lock for a hold, and close the fence to older holds.
-- KEYS[1] counters of the lock: a hash    KEYS[2] history
-- ARGV[1] fencing token                   ARGV[2] words of the history on the hold
-- returns {passed, fenced, plain}  passed is 1 if the fence let the hold pass;
--                                  fenced and plain are the values of the counters
local counters, history = KEYS[1], KEYS[2]
local token, words = ARGV[1], ARGV[2]

local highest = redis.call('HGET', counters, 'highest') or '0'
local fenced = tonumber(redis.call('HGET', counters, 'fenced') or 0)
local plain = tonumber(redis.call('HGET', counters, 'plain') or 0)
-- as texts: a number of Lua can't tell tokens of this size apart
local passed = (#token > #highest or #token == #highest and token >= highest) and 1 or 0

if passed == 1 then
	redis.call('HSET', counters, 'highest', token)
end
redis.call('RPUSH', history, string.format('open %s %d %d', words, passed, fenced))
return {passed, fenced, plain}
