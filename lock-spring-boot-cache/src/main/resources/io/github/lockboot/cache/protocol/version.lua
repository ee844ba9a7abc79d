-- version.lua: what put-if-newer.lua and step.lua begin with, after wake.lua.

-- eight digits at a time: texts are compared as the language of the server orders them
local function number(text, from)
	return tonumber(string.sub(text, from, from + 7), 16) or 0
end

-- Whether a version of 16 hexadecimal digits is higher than the one that is known.
local function is_newer(key, version)
	local known = redis.call('GET', key)
	if not known then
		return true
	end
	local high, known_high = number(version, 1), number(known, 1)
	return high > known_high or (high == known_high and number(version, 9) > number(known, 9))
end
