-- force.lua: release the lock of any holders and notify them. Requires handover.lua.
-- KEYS    as in handover.lua
-- ARGV[1] prefix of the channels
-- returns {1} released, {0} it was free
local channels = ARGV[1]

local holder = promoteToShared(redis.call('GET', lock))
if not holder then
	return {0}
end

local holders = {string.match(holder, '^kept (.+)') or holder}
if holder == 'shared' then
	holders = redis.call('ZRANGE', sharers, 0, -1)
	redis.call('DEL', sharers)
end
if not handOver(0, tonumber(redis.call('GET', fence) or 0), channels, 0) then
	redis.call('DEL', lock)
end
for _, each in ipairs(holders) do
	publish(channels, each, 'taken ' .. each)
end
return {1}
