-- put.lua: store an entry in place of those of all shapes, and reject a load of it that began
-- before.
-- Requires wake.lua and parts.lua.
-- KEYS[1] entry    KEYS[2] lease    KEYS[3] waiters    KEYS[4] tombstone
-- ARGV[1] entry, '' to evict it    ARGV[2] life of the entry in ms
-- ARGV[3] minimum time in ms to keep the time of the put
-- ARGV[4] prefix of the channels    ARGV[5] longest entry to push, in bytes
-- ARGV[6] channel of the cache's changes
-- ARGV[7] version: eight bytes as in the header of an entry, '' for none; 'absent' to put
--         only if there is no entry, or if it begins with ARGV[8] and that is not ''
-- returns {1} stored
--         {0, entry} there is this entry, for 'absent'
--         {0} evicted, also because Redis is out of memory; or not newer than the entry
--         an error: evicted because Redis is out of memory, if there is a version
local data, lease, waiters, tombstone = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local entry, millis, memory, channels, longest, changes = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5], ARGV[6]
local version = ARGV[7]

local known = version ~= '' and redis.pcall('GET', data)
if version == 'absent' then
	if type(known) == 'string' and string.sub(known, 1, 32) ~= ARGV[8] then
		return {0, known}
	end
elseif version ~= '' then
	-- as numbers: Redis compares texts by the locale of the server
	local high, low = struct.unpack('>I4I4', version)
	for _, part in ipairs(parts(known)) do
		local knownHigh, knownLow = struct.unpack('>I4I4', part, 9)
		if string.byte(part, 3) >= 2 and (high < knownHigh or (high == knownHigh and low <= knownLow)) then
			return {0}
		end
	end
end

-- when out of memory, Redis rejects the SET but allows the DEL, and the writes that follow it
local refused = entry ~= '' and redis.pcall('SET', data, entry, 'PX', millis).err
local stored = entry ~= '' and not refused
if not stored then
	redis.call('DEL', data)
end
redis.call('DEL', lease)
writeTombstone(tombstone, 0, memory)
if stored then
	wakeWith(waiters, channels, entry, longest)
else
	wake(waiters, channels, 'E', '')
end
redis.pcall('PUBLISH', changes, data)
if refused and version ~= '' then
	return redis.error_reply(refused)
end
return {stored and 1 or 0}
