-- fenced.lua: prepended to a script of the application, so that it runs only if no later
-- holder of the lock has run one.
-- KEYS[last] highest fencing token so far    ARGV[last] fencing token of the caller
-- returns error STALETOKEN <highest>  a later holder was first; nothing was changed
--         otherwise the result of the application's script, which gets its own KEYS and ARGV
local fence, token = table.remove(KEYS), table.remove(ARGV)
local latest = redis.call('GET', fence)
-- as texts: numbers of Lua are too imprecise for tokens of this size
if latest and (#latest > #token or #latest == #token and latest > token) then
	return redis.error_reply('STALETOKEN ' .. latest)
end
redis.call('SET', fence, token)

