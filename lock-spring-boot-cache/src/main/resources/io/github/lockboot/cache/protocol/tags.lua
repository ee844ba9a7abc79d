-- tags.lua: evict the entries of a tag, if one is given, and return the tags that were
-- evicted. Each evict has a position, which only increases. An entry is read while no tag of
-- it has a later position than the caches knew when its load began.
-- KEYS[1] tags of the cache
-- ARGV[1] highest position that the caller has seen, 0 for none
-- ARGV[2] position up to which the caller knows all evicts, 0 for none
-- ARGV[3] channel of the clears    ARGV[4] name of the cache
-- ARGV[5] number of the tag to evict, '' for none; 0 stands for all tags
-- returns {tag, position, ...} as texts: the evicts after ARGV[2]
local tags, seen, known, channel, cache, evicted = KEYS[1], tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local top = redis.pcall('ZRANGE', tags, -1, -1, 'WITHSCORES')
if top.err then
	-- a key of another type is a lost one
	redis.call('DEL', tags)
end
local last = tonumber(top[2] or 0)

local function evict(tag)
	local time = redis.call('TIME')
	last = math.max(last + 1, seen + 1, time[1] * 1000000 + time[2])
	local position = string.format('%.0f', last)
	redis.call('ZADD', tags, position, tag)
	redis.pcall('PUBLISH', channel, position .. ' ' .. cache .. '{' .. tag .. '}')
end

if last == 0 or last < seen then
	-- Redis has lost evicts: those of any tag
	evict('0')
end
if evicted ~= '' then
	evict(evicted)
end
local count = redis.call('ZCOUNT', tags, string.format('%.0f', known + 1), '+inf')
return count > 0 and redis.call('ZRANGE', tags, -count, -1, 'WITHSCORES') or {}
