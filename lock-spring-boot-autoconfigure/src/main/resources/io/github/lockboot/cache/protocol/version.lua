-- version.lua: what put-if-newer.lua and step.lua begin with, after wake.lua.

-- eight digits at a time: texts are compared as the language of the server orders them
local function number(text, from)
	return tonumber(string.sub(text, from, from + 7), 16) or 0
end

-- Remember a version of 16 hexadecimal digits for some time, if it is higher than the one
-- that is known; return whether it is.
local function remember(key, version, millis)
	local known = redis.call('GET', key)
	if known then
		local high, known_high = number(version, 1), number(known, 1)
		if high < known_high or (high == known_high and number(version, 9) <= number(known, 9)) then
			return false
		end
	end
	redis.call('SET', key, version, 'PX', millis)
	return true
end
