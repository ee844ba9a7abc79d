-- inspect.lua: read the state of a lock. Changes nothing. Requires handover.lua.
-- KEYS    as in handover.lua
-- returns {holder, pttl, token, queued, holders, owner...}  holder is empty if the lock is
--         free, and 'shared' while several may hold it, whose owners then follow; pttl is
--         negative if it is free or without expiry; token is the highest that may have been
--         granted
local holder = redis.call('GET', lock) or ''
holder = string.match(holder, '^kept (.+)') or holder
local holders = holder == '' and 0 or 1
local owners = {(soleHolder(holder))}
if holder == 'shared' then
	holders = redis.call('ZCOUNT', sharers, math.floor(micros() / 1000) + 1, '+inf')
	-- the last ones, because those whose leases are over come first; ten are enough to show
	owners = redis.call('ZRANGE', sharers, -math.min(math.max(holders, 1), 10), -1)
elseif owners[1] then
	holder = 'shared'
end
return {holder, redis.call('PTTL', lock), tonumber(redis.call('GET', fence) or 0), redis.call('HLEN', deadlines), holders,
	unpack(owners)}
