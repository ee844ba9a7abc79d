-- rights.lua: find the commands of the other scripts that the user may not run. Changes
-- nothing.
-- KEYS    as in handover.lua, of a lock that does not exist
-- ARGV[1] prefix of the channels
-- ARGV[2] number of replicas to wait for
-- returns the names of the refused commands, the one to publish with last; the error of a
--         server that accepts no write: a replica, or a master without memory
local lock, queue, deadlines, sharers = KEYS[1], KEYS[3], KEYS[5], KEYS[6]

-- Redis 6 can only try: without its key none of these commands changes anything
local function may(...)
	if redis.acl_check_cmd then
		return redis.acl_check_cmd(...)
	end
	local reply = redis.pcall(...)
	return type(reply) ~= 'table' or not string.find(reply.err or '', 'The user executing the script')
end

local written = redis.pcall('SET', lock, '', 'XX')
if type(written) == 'table' and written.err and not string.find(written.err, 'The user executing the script')
		and not string.find(written.err, 'NOPERM ') then
	return written
end

local commands = {
	{'TIME'}, {'GET', lock}, {'MGET', lock}, {'SET', lock, '', 'XX'}, {'DEL', lock}, {'EXISTS', queue}, {'PEXPIRE', lock, 1},
	{'PTTL', lock}, {'LPOP', queue}, {'LINDEX', queue, 0}, {'LREM', queue, 0, ''}, {'LLEN', queue},
	{'LRANGE', queue, 0, 0}, {'LINSERT', queue, 'BEFORE', '', ''}, {'HLEN', deadlines}, {'HKEYS', deadlines},
	{'HGET', deadlines, ''}, {'HDEL', deadlines, ''}, {'ZADD', sharers, 'XX', 0, ''}, {'ZREM', sharers, ''},
	{'ZCARD', sharers}, {'ZCOUNT', sharers, 0, 0}, {'ZSCORE', sharers, ''}, {'ZRANGE', sharers, 0, 0},
	{'ZREMRANGEBYSCORE', sharers, 0, 0}
}
if redis.acl_check_cmd then
	for _, command in ipairs({ {'EVALSHA', '', 0}, {'EVAL', '', 0}, {'RPUSH', queue, ''},
			{'HSET', deadlines, '', ''} }) do
		commands[#commands + 1] = command
	end
	if ARGV[2] ~= '0' then
		commands[#commands + 1] = {'WAIT', 1, 1}
	end
end
local sharded = string.sub(ARGV[1], -1) == '}' and string.sub(ARGV[1], -2) ~= '{}'
commands[#commands + 1] = {sharded and 'SPUBLISH' or 'PUBLISH', ARGV[1], ''}

local refused = {}
for _, command in ipairs(commands) do
	if not may(unpack(command)) then
		refused[#refused + 1] = string.lower(command[1])
	end
end
return refused
