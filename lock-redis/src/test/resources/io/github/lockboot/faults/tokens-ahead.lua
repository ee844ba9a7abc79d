-- tokens-ahead.lua: find fencing tokens that are too far ahead of the time, or that expire before
-- the time has reached them, so that a later holder could get a lower one.
-- ARGV[1] by how many us a token may be ahead
-- returns {sentence, ...}
local sentences = {}
for _, key in ipairs(redis.call('KEYS', '*:f')) do
	local token, ttl = tonumber(redis.call('GET', key)), redis.call('PTTL', key)
	local time = redis.call('TIME')
	local lead = token - time[1] * 1000000 - time[2]
	if lead > tonumber(ARGV[1]) then
		sentences[#sentences + 1] = string.format('The tokens of %s are ahead of the time by %.0f us', key, lead)
	end
	if ttl >= 0 and ttl * 1000 < lead then
		sentences[#sentences + 1] = string.format('The token of %s expires too early: it is ahead of the time by %.0f us',
			key, lead)
	end
end
return sentences
