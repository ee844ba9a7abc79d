-- force.lua: take the lock away from its owner, whoever that is, and tell it.
-- KEYS[1] lock     KEYS[2] highest fencing token given out
-- KEYS[3] queue    KEYS[4] deadlines of those in the queue
-- ARGV[1] how long a token is remembered after its lease, in ms
-- ARGV[2] prefix of the channels     ARGV[3] claim window in ms
-- returns {1} taken away, {0} nobody owned it
local lock, fence, queue, deadlines = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local memory, channels, claim = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])

local holder = redis.call('GET', lock)
if not holder then
	return {0}
end

local last = tonumber(redis.call('GET', fence) or 0)
if not grant(lock, fence, queue, deadlines, last, memory, channels, claim) then
	redis.call('DEL', lock)
end
publish(channels, holder, 'taken ' .. holder)
return {1}
