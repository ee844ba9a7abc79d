-- times.lua: how long things last, in ms; put in front of the scripts of a lock.
-- memory  a token is remembered this long after its lease; the time of Redis covers the rest
-- window  a lock that was handed over belongs to its new owner this long without a renewal,
--         but not longer than a lease of this lock: else a dead new owner would keep it for
--         longer than a lease, and its tokens would be skipped far ahead of the time
-- life    a waiter lives in the queue this long without asking again
local memory, window, life = 600000, 2000, 5000
