-- inspect.lua: read the state of a lock. Changes nothing. Requires handover.lua.
-- KEYS    as in handover.lua
-- returns {holder, pttl, token, queued, holders}; holder is empty if the lock is free, and
-- 'shared' while several may hold it; pttl is negative if it is free or without expiry;
-- token is the highest that may have been granted
local holder = redis.call('GET', lock) or ''
local holders = holder == '' and 0 or 1
if holder == 'shared' then
	holders = redis.call('ZCOUNT', sharers, math.floor(micros() / 1000) + 1, '+inf')
elseif soleHolder(holder) then
	holder = 'shared'
end
return {holder, redis.call('PTTL', lock), tonumber(redis.call('GET', fence) or 0), redis.call('HLEN', deadlines), holders}
