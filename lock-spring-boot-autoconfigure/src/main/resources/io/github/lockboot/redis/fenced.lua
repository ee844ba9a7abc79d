-- fenced.lua: what stands before a script of the application, so that it runs only for a
-- holder whom no later one has overtaken.
-- KEYS[last] highest fencing token that was here    ARGV[last] fencing token of the caller
-- returns error STALETOKEN <highest>  a later holder was here before; nothing was changed
--         otherwise what the application's script returns, which finds its own KEYS and ARGV
local fence, token = table.remove(KEYS), table.remove(ARGV)
local latest = redis.call('GET', fence)
-- as texts: a number of Lua can't tell tokens of this size apart
if latest and (#latest > #token or #latest == #token and latest > token) then
	return redis.error_reply('STALETOKEN ' .. latest)
end
redis.call('SET', fence, token)

