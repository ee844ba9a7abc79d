-- own.lua: what acquire.lua does with a lock that is to be had, and acquire-all.lua with each.
-- keep(owner, lease, limit, now): the lease (ms) of an owner that asks again: not less than
-- is left of it, since it may have been handed the lock, with a longer lease than this
-- request asks for, while the request was under way
local function keep(owner, lease, limit, now)
	if limit == 1 then
		return math.max(lease, redis.call('PTTL', lock))
	end
	return math.max(lease, (redis.call('ZSCORE', sharers, owner) or 0) - math.floor(now / 1000))
end

-- own(owner, lease, last, seen, limit, now): let the owner hold the lock, shared by up to
-- 'limit'; 'last' is the highest token given out, the others as ARGV of acquire.lua
-- returns token, reserved  as acquire.lua
local function own(owner, lease, last, seen, limit, now)
	local token = math.max(last, seen)
	local reserved
	if limit == 1 then
		token = math.max(token + 1, now)
		reserved = reserve(token, lease, now)
		redis.call('SET', lock, owner, 'PX', lease)
	else
		-- without a last one somebody else may have been later than what the caller has seen
		token = last > 0 and token or math.max(token, now)
		reserved = token
		share(owner, now, lease)
	end
	remember(reserved, lease, now)
	return token, reserved
end
