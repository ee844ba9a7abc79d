-- parts.lua: functions of store.lua and put.lua.

-- Return the entries in a value. Versions of an application whose types have different shapes
-- each have one: the value is then these entries, the length of each, their number, and CA C2
-- CA C2, all numbers in four bytes. The entry that was stored last is the first.
local function parts(value)
	if type(value) ~= 'string' or #value < 32 or string.sub(value, 1, 2) ~= '\202\193' then
		return {}
	end
	local count, magic = struct.unpack('>I4I4', value, #value - 7)
	local lengths = #value - 8 - 4 * count
	if magic ~= 3401763522 or count < 2 or lengths < 32 * count then
		return {value}
	end
	local found, start = {}, 1
	for i = 1, count do
		local length = struct.unpack('>I4I4', value, lengths + 4 * i - 3)
		found[i] = string.sub(value, start, start + length - 1)
		start = start + length
	end
	return start == lengths + 1 and found or {value}
end

-- Return a value of these entries.
local function joined(entries)
	if #entries == 1 then
		return entries[1]
	end
	local numbers = {}
	for i, entry in ipairs(entries) do
		numbers[i] = #entry
	end
	numbers[#numbers + 1] = #entries
	numbers[#numbers + 1] = 3401763522
	local value = table.concat(entries)
	for _, number in ipairs(numbers) do
		value = value .. string.char(math.floor(number / 16777216), math.floor(number / 65536) % 256,
			math.floor(number / 256) % 256, number % 256)
	end
	return value
end
