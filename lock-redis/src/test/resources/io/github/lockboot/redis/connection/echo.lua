-- echo.lua: for tests of the transport.
-- ARGV[1] text    returns {a number above 2^53 - 1, the text}
return {9007199254740992, ARGV[1]}
