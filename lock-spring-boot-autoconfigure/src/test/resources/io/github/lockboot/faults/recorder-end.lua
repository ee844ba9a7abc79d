end

local reply = script()
if reply == nil then
	reply = false
end
server.pcall('RPUSH', 'recorded',
		resp({FILE, KEYS, ARGV, began, times, before, contents(), long - server.call('PTTL', 'recorder'), published, reply}))
return reply
