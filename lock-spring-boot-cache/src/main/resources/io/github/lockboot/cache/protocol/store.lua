-- store.lua: store an entry that was loaded under a lease, if the lease is still held.
-- The entries of other shapes of the type remain while they are fresh, up to three.
-- Requires wake.lua and parts.lua.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone
-- ARGV[1] attempt    ARGV[2] entry    ARGV[3] life of the entry in ms
-- ARGV[4] prefix of the channels    ARGV[5] longest entry to push, in bytes
-- ARGV[6] end of the grace of acquire.lua, '' for none: the command may arrive late
-- returns {1} stored; the waiters were notified
--         {0} rejected: evicted meanwhile, or the lease has expired, or the grace has ended
local data, lease, waiters = KEYS[1], KEYS[2], KEYS[3]
local attempt, entry, millis, channels, longest = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local ends = tonumber(ARGV[6])

if redis.pcall('GET', lease) ~= attempt then
	return {0}
end
if ends then
	local time = redis.call('TIME')
	millis = math.min(tonumber(millis), math.floor((ends - time[1] * 1000000 - time[2]) / 1000))
	if millis <= 0 then
		redis.call('DEL', lease)
		wake(waiters, channels, 'F', '')
		return {0}
	end
end
local entries = {entry}
local now
for _, other in ipairs(parts(redis.pcall('GET', data))) do
	if #entries < 4 and string.sub(other, 5, 8) ~= string.sub(entry, 5, 8) then
		if not now then
			local time = redis.call('TIME')
			now = time[1] * 1000 + time[2] / 1000
		end
		local high, low = struct.unpack('>I4I4', other, 17)
		if high * 4294967296 + low > now then
			entries[#entries + 1] = other
		end
	end
end
if #entries > 1 then
	-- each JVM reads from its entry when it ends
	millis = math.max(tonumber(millis), redis.call('PTTL', data))
end
redis.call('SET', data, joined(entries), 'PX', millis)
redis.call('DEL', lease)
wakeWith(waiters, channels, entry, longest)
return {1}
