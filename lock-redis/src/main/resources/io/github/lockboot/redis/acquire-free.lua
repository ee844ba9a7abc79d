-- acquire-free.lua: the part of acquire.lua that acquires a free lock exclusively if nobody
-- waits or has polled a moment ago. Requires constants.lua. It returns a number, because an array costs more than
-- reading two keys.
if call('EXISTS', KEYS[k + 1], KEYS[k + 3], KEYS[k + 4]) == 0 then
	if lease ~= ARGV[a + 2] then
		lease = ARGV[a + 2]
		local time = call('TIME')
		now = time[1] * 1000000 + time[2]
		reserved = string.format('%.0f', now + math.min(lease, ahead) * 1000)
		kept = string.format('%d', lease + memory)
	end
	-- one command reads the last token and replaces it; nothing has changed if it fails
	local last = math.max(call('SET', KEYS[k + 2], reserved, 'PX', kept, 'GET') or 0, ARGV[a + 3])
	call('SET', KEYS[k + 1], ARGV[a + 1], 'PX', lease)
	if last < now then
		return now
	end
	local further = math.max(reserved, last + 1 + few)
	call('SET', KEYS[k + 2], further, 'PX', math.max(lease, math.floor((further - now) / 1000)) + memory)
	return {1, last + 1, further, 0}
end
