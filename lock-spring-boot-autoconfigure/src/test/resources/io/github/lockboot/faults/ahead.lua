-- ahead.lua: find fencing tokens that lead the time by too much, or that are forgotten
-- before the time has come up with them, so that a later holder could have a lower one.
-- ARGV[1] by how many us a token may lead
-- returns {sentence, ...}
local sentences = {}
for _, key in ipairs(redis.call('KEYS', '*:f')) do
	local token, life = tonumber(redis.call('GET', key)), redis.call('PTTL', key)
	local time = redis.call('TIME')
	local lead = token - time[1] * 1000000 - time[2]
	if lead > tonumber(ARGV[1]) then
		sentences[#sentences + 1] = string.format('The tokens of %s lead the time by %.0f us', key, lead)
	end
	if life >= 0 and life * 1000 < lead then
		sentences[#sentences + 1] = string.format('The token of %s is forgotten too early: it leads the time by %.0f us',
			key, lead)
	end
end
return sentences
