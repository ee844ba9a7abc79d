-- broken.lua: for tests of the transport; always an error.
return redis.error_reply('ERR on purpose')
