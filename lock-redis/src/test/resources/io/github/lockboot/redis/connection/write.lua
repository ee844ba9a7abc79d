-- write.lua: for tests of the transport; needs a server that may be written to.
-- returns {1}
redis.call('SET', KEYS[1], '1')
return {1}
