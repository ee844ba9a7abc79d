-- batch.lua: for tests of the transport; calls of echo.lua.
-- ARGV[1] letters    then a text for each call    returns the texts, each in an array
local replies = {}
for i = 2, #ARGV do
	replies[i - 1] = {'batch of ' .. ARGV[i]}
end
return replies
