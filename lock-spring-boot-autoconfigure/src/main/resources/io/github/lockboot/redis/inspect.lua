-- inspect.lua: what is known of a lock. Changes nothing.
-- KEYS    as in grant.lua
-- returns {holder, pttl, token, queued, holders}; holder is empty if the lock is free, and
-- 'shared' while several may hold it; pttl is negative if it is free or has no end; token
-- is the highest that may have been given out
local holder = redis.call('GET', lock) or ''
local holders = holder == '' and 0 or 1
if holder == 'shared' then
	holders = redis.call('ZCOUNT', sharers, math.floor(micros() / 1000) + 1, '+inf')
elseif alone(holder) then
	holder = 'shared'
end
return {holder, redis.call('PTTL', lock), tonumber(redis.call('GET', fence) or 0), redis.call('HLEN', deadlines), holders}
