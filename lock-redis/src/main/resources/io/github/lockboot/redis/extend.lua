-- extend.lua: extend the leases of locks that callers hold exclusively. No lease ends earlier by
-- this, so calls may come late, twice or in another order.
-- KEYS    the locks; then, if the caller asks for waiters, of each lock the keys for the
--         deadlines of waiters and for a waiter that has polled (handover.lua)
-- ARGV    of each lock the owner and the lease in ms
-- returns {number, state, ...}  for each lock that has a state: its number, and above 0 if it is
--         extended and others wait, as others() in handover.lua; -1 if it is not held (expired
--         or taken over); -2 if the owner shares it by now, and has to renew it alone
local call, count, reply = redis.call, #ARGV / 2, {}
local holders = call('MGET', unpack(KEYS, 1, count))
local awaited = #KEYS > count and call('EXISTS', unpack(KEYS, count + 1)) > 0
for i = 1, count do
	local lock, owner, lease, state = KEYS[i], ARGV[2 * i - 1], ARGV[2 * i], 0
	if holders[i] ~= owner then
		state = string.match(holders[i] or '', '^shared') and -2 or -1
	else
		if redis.REDIS_VERSION_NUM then
			call('PEXPIRE', lock, lease, 'GT')
		elseif call('PTTL', lock) < tonumber(lease) then
			call('PEXPIRE', lock, lease)
		end
		if awaited then
			local deadlines, polled = KEYS[count + 2 * i - 1], KEYS[count + 2 * i]
			state = call('EXISTS', deadlines, polled, polled)
		end
	end
	if state ~= 0 then
		reply[#reply + 1] = i
		reply[#reply + 1] = state
	end
end
return reply
