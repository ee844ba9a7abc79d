-- hold-started.lua: record the start of a hold, and read the counters of its lock. The
-- fence rejects lower tokens from now on.
-- KEYS[1] counters of the lock: a hash    KEYS[2] history
-- ARGV[1] fencing token                   ARGV[2] words of the history entry
-- returns {accepted, fenced, plain}  accepted is 1 if the fence accepted the token;
--                                    fenced and plain are the values of the counters
local counters, history = KEYS[1], KEYS[2]
local token, words = ARGV[1], ARGV[2]

local highest = redis.call('HGET', counters, 'highest') or '0'
local fenced = tonumber(redis.call('HGET', counters, 'fenced') or 0)
local plain = tonumber(redis.call('HGET', counters, 'plain') or 0)
-- compared as text: tokens of this size exceed the precision of Lua's numbers
local accepted = (#token > #highest or #token == #highest and token >= highest) and 1 or 0

if accepted == 1 then
	redis.call('HSET', counters, 'highest', token)
end
redis.call('RPUSH', history, string.format('start %s %d %d', words, accepted, fenced))
return {accepted, fenced, plain}
