-- recorder-begin.lua: comes before a script of a lock, and recorder-end.lua after it, so that
-- it records each of its calls, with the keys before and after it.
local server = redis
local began, times, published = server.call('TIME'), {}, {}
-- for how long it runs: some versions of Redis stop the time that scripts see, but no expiry
local long = 3600000
server.call('SET', 'recorder', '', 'PX', long)

local readers = {
	string = function(key) return {server.call('GET', key)} end,
	list = function(key) return server.call('LRANGE', key, 0, -1) end,
	hash = function(key) return server.call('HGETALL', key) end,
	zset = function(key) return server.call('ZRANGE', key, 0, -1, 'WITHSCORES') end,
	none = function() return {} end
}

-- contents(): the type, the value and the rest of the life of each key
local function contents()
	local all = {}
	for i, key in ipairs(KEYS) do
		local kind = server.call('TYPE', key).ok
		all[i] = {kind, readers[kind](key), server.call('PTTL', key)}
	end
	return all
end

-- resp(value): a value as Redis returns it
local function resp(value)
	local kind = type(value)
	if kind == 'number' then
		return string.format(':%.0f\r\n', value < 0 and math.ceil(value) or math.floor(value))
	elseif kind == 'string' then
		return '$' .. #value .. '\r\n' .. value .. '\r\n'
	elseif kind ~= 'table' then
		return value and ':1\r\n' or '$-1\r\n'
	elseif value.err or value.ok then
		return (value.err and '-' .. value.err or '+' .. value.ok) .. '\r\n'
	end
	local elements = {'*' .. #value .. '\r\n'}
	for i, element in ipairs(value) do
		elements[i + 1] = resp(element)
	end
	return table.concat(elements)
end

local function observed(run)
	return function(...)
		local words, reply = {...}, run(...)
		if words[1] == 'TIME' then
			times[#times + 1] = reply
		elseif string.sub(words[1], -7) == 'PUBLISH' then
			published[#published + 1] = {words[1], words[2], words[3], reply}
		end
		return reply
	end
end

local before = contents()
local redis = setmetatable({call = observed(server.call), pcall = observed(server.pcall)}, {__index = server})

local function script()
