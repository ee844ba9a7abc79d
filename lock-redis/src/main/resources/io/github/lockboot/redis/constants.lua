-- constants.lua: times in ms, and limits; prepended to the scripts of a lock.
-- memory  how long a token is remembered after its lease, and after the time of Redis has
--         reached it; later tokens are based on that time
-- window  how long a lock belongs to the new owner after a handover without a renewal, at
--         most a lease: a dead new owner must not keep it longer, or advance the tokens far.
--         For a waiter that polls it is 'recent'
-- life    how long a waiter stays in the queue without a new call
-- most    how many waiters one call skips at most, so that it does not block Redis
-- recent  how long a waiter that polls counts after its last call: it may have no right to
--         notify the next owner that it waits again
-- ahead   how far tokens are reserved ahead of the time of Redis, at most a lease; 'few' of
--         them if they lead that time already. A dead owner or a forced release does not
--         advance the tokens further
local memory, window, life, most, ahead, few = 600000, 2000, 5000, 300, 1000, 1000
local recent = 1000

-- how many keys and arguments come before those of a call: none, except in batch.lua; and
-- what acquire-free.lua computes for one lease after the other
local k, a, lease, now, reserved, kept = 0, 0
local KEYS, ARGV, call = KEYS, ARGV, redis.call
