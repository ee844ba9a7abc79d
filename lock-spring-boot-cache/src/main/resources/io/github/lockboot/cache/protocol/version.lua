-- version.lua: functions of put-if-newer.lua and step.lua.

-- Eight digits as a number: Redis compares texts by the locale of the server.
local function number(text, from)
	return tonumber(string.sub(text, from, from + 7), 16) or 0
end

-- Return whether a version of 16 hexadecimal digits is higher than the stored one.
local function isNewer(key, version)
	local known = redis.call('GET', key)
	if not known then
		return true
	end
	local high, knownHigh = number(version, 1), number(known, 1)
	return high > knownHigh or (high == knownHigh and number(version, 9) > number(known, 9))
end
