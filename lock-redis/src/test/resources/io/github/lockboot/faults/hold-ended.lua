-- hold-ended.lua: record the end of a hold, and count it as progress.
-- KEYS[1] history                 KEYS[2] progress: a hash
-- ARGV[1] the history entry       ARGV[2] field of the progress
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('HINCRBY', KEYS[2], ARGV[2], 1)
