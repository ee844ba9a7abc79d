-- epoch.lua: return the epoch of a cache, which is part of the keys of its entries. It only
-- increases, so that entries of an earlier epoch are never read again, even if the key was
-- lost. A new epoch is published as by clear.lua, since other JVMs use the previous one.
-- KEYS[1] epoch
-- ARGV[1] highest epoch that the caller has seen, 0 for none
-- ARGV[2] channel of the clears    ARGV[3] name of the cache
-- returns {epoch} as text
local epoch, seen, channel, cache = KEYS[1], tonumber(ARGV[1]), ARGV[2], ARGV[3]

-- a key of another type is a lost one
local known = redis.pcall('GET', epoch)
local current = type(known) == 'string' and tonumber(known)
if current and current >= seen then
	return {string.format('%.0f', current)}
end
local next = seen
if not current then
	local time = redis.call('TIME')
	next = math.max(seen + 1, time[1] * 1000000 + time[2])
end
local text = string.format('%.0f', next)
redis.call('SET', epoch, text)
redis.pcall('PUBLISH', channel, text .. ' ' .. cache)
return {text}
