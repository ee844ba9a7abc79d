-- force.lua: take the lock away from its holders, whoever they are, and tell them.
-- KEYS    as in grant.lua
-- ARGV[1] prefix of the channels
-- returns {1} taken away, {0} nobody held it
local channels = ARGV[1]

local holder = spread(redis.call('GET', lock))
if not holder then
	return {0}
end

local holders = {holder}
if holder == 'shared' then
	holders = redis.call('ZRANGE', sharers, 0, -1)
	redis.call('DEL', sharers)
end
if not grant(0, tonumber(redis.call('GET', fence) or 0), channels, 0) then
	redis.call('DEL', lock)
end
for _, each in ipairs(holders) do
	publish(channels, each, 'taken ' .. each)
end
return {1}
