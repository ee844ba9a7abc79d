-- several.lua: for scripts about several locks, behind grant.lua.
-- KEYS    of each lock those of grant.lua, one lock after the other
-- ARGV    what counts for all locks; then three for each: owner, lease in ms, token
-- each(shared, action): call action(owner, lease, token, number) for each lock in turn,
-- while the names of grant.lua stand for the keys of that lock. 'shared' is how many
-- arguments stand in front of those of the locks.
local function each(shared, action)
	for number = 1, #KEYS / 5 do
		local key, argument = 5 * (number - 1), shared + 3 * (number - 1)
		lock, fence, queue, deadlines, sharers = unpack(KEYS, key + 1, key + 5)
		action(ARGV[argument + 1], tonumber(ARGV[argument + 2]), tonumber(ARGV[argument + 3]), number)
	end
end
