-- clear.lua: begin a new epoch, so that no entry of the cache is read again.
-- KEYS[1] epoch
-- ARGV[1] highest epoch that the caller has seen, 0 for none
-- ARGV[2] channel of the clears    ARGV[3] name of the cache
-- returns {epoch} as text
local epoch, seen, channel, cache = KEYS[1], tonumber(ARGV[1]), ARGV[2], ARGV[3]

local time = redis.call('TIME')
-- a key of another type is a lost one
local known = redis.pcall('GET', epoch)
local current = type(known) == 'string' and tonumber(known) or 0
local text = string.format('%.0f', math.max(current + 1, seen + 1, time[1] * 1000000 + time[2]))
redis.call('SET', epoch, text)
redis.pcall('PUBLISH', channel, text .. ' ' .. cache)
return {text}
