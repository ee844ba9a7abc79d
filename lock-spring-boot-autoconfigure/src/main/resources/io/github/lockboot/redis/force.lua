-- force.lua: take the lock away from its holders, whoever they are, and tell them.
-- KEYS    as in grant.lua
-- ARGV[1] how long a token is remembered after its lease, in ms
-- ARGV[2] prefix of the channels     ARGV[3] claim window in ms
-- returns {1} taken away, {0} nobody held it
local memory, channels, claim = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])

local holder = spread(redis.call('GET', lock))
if not holder then
	return {0}
end

local holders = {holder}
if holder == 'shared' then
	holders = redis.call('ZRANGE', sharers, 0, -1)
	redis.call('DEL', sharers)
end
if not grant(0, tonumber(redis.call('GET', fence) or 0), memory, channels, claim) then
	redis.call('DEL', lock)
end
for _, each in ipairs(holders) do
	publish(channels, each, 'taken ' .. each)
end
return {1}
