-- prelude.lua: what Redis gives to scripts. It needs the function 'host', which runs a
-- command and returns its reply, an error as a table.
local host, loadstring, setfenv, setmetatable, rawset = host, loadstring, setfenv, setmetatable, rawset
local getinfo, xpcall, error, type, tostring = debug.getinfo, xpcall, error, type, tostring
local functions = {}
collectgarbage('setpause', 1000) -- of no use for so little memory

local redis = {pcall = host}

function redis.call(...)
	local reply = host(...)
	if type(reply) == 'table' and reply.err then
		error(reply, 0)
	end
	return reply
end

function redis.error_reply(text)
	return {err = text}
end

function redis.status_reply(text)
	return {ok = text}
end

local struct = {}

-- as far as the scripts use it: two unsigned numbers of four bytes
function struct.unpack(format, text, from)
	if format ~= '>I4I4' then
		error("only struct.unpack('>I4I4', ...) is simulated", 2)
	end
	local numbers = {}
	for i = 0, 1 do
		local a, b, c, d = string.byte(text, (from or 1) + 4 * i, (from or 1) + 4 * i + 3)
		numbers[i] = ((a * 256 + b) * 256 + c) * 256 + d
	end
	return numbers[0], numbers[1], (from or 1) + 8
end

local environment = {
	redis = redis, struct = struct, string = string, table = table, math = math, assert = assert, error = error, getmetatable = getmetatable,
	ipairs = ipairs, next = next, pairs = pairs, pcall = pcall, rawequal = rawequal, rawget = rawget, rawset = rawset,
	select = select, setmetatable = setmetatable, tonumber = tonumber, tostring = tostring, type = type, unpack = unpack,
	xpcall = xpcall
}
environment._G = environment
setmetatable(environment, {
	__index = function(_, name)
		error("Script attempted to access nonexistent global variable '" .. tostring(name) .. "'", 2)
	end,
	__newindex = function(_, name)
		error("Script attempted to create global variable '" .. tostring(name) .. "'", 2)
	end
})

-- returns an error of the text, if there is one
function compile(sha1, text)
	local script, failure = loadstring(text, '@user_script')
	if script then
		functions[sha1] = setfenv(script, environment)
	end
	return failure
end

local function withLine(failure)
	local info = getinfo(2, 'Sl')
	if info and info.what == 'C' then
		info = getinfo(3, 'Sl')
		if info and info.source == '=prelude' then
			info = getinfo(4, 'Sl')
		end
	end
	if type(failure) ~= 'table' then
		failure = {err = 'ERR ' .. tostring(failure)}
	end
	return {err = failure.err, line = info and info.currentline or 0}
end

function run(sha1, version, keys, arguments)
	rawset(environment, 'KEYS', keys)
	rawset(environment, 'ARGV', arguments)
	local commands = redis
	commands.REDIS_VERSION_NUM = version > 0 and version or nil
	commands.acl_check_cmd = version > 0 and function(...)
		return host('.MAY', ...) == 1
	end or nil
	local done, reply = xpcall(functions[sha1], withLine)
	if done then
		return reply
	end
	return {err = reply.err .. ' script: ' .. sha1 .. ', on @user_script:' .. reply.line .. '.'}
end

-- a text of any bytes
function bytes(hex)
	return (string.gsub(hex, '..', function(byte)
		return string.char(tonumber(byte, 16))
	end))
end
