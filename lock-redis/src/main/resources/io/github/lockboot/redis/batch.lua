-- batch.lua: several calls of acquire.lua and release.lua, each about an exclusive lock.
-- Requires constants.lua.
-- KEYS    the first four of each call
-- ARGV[1] a letter for each call: 'a' for acquire.lua, 'r' for release.lua
-- ARGV    then the first three of each acquire.lua, and the first two of each release.lua
-- returns what the script of each call returns, or nil for a call that has changed nothing:
--         the lock is busy, others wait for it, or Redis refuses writes. It has to be sent
--         alone.
local function acquire()
	-- include acquire-free.lua
end

local function release()
	-- include release-owned.lua
end

local calls, replies = ARGV[1], {}
a = 1
for i = 1, #calls do
	local acquires = string.sub(calls, i, i) == 'a'
	local done, reply = pcall(acquires and acquire or release)
	replies[i] = done and reply or false
	k, a = k + 4, a + (acquires and 3 or 2)
end
return replies
