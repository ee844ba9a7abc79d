-- inspect.lua: what is known of a lock. Changes nothing.
-- KEYS[1] lock    KEYS[2] highest fencing token given out    KEYS[3] queue
-- returns {owner, pttl, token, queued}; owner is empty if the lock is free, pttl is
-- negative if it is free or has no end; token is the highest that may have been given out
local lock, fence, queue = KEYS[1], KEYS[2], KEYS[3]

return {redis.call('GET', lock) or '', redis.call('PTTL', lock), tonumber(redis.call('GET', fence) or 0),
	redis.call('LLEN', queue)}
