package io.github.lockboot.redis;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

import io.github.lockboot.StaleTokenException;
import io.github.lockboot.redis.connection.LuaScript;

/**
 * A Lua script of the application that changes data guarded by a lock. The script rejects
 * a holder that has lost the lock without detecting the loss: a holder whose fencing
 * token is lower than the highest token that was used on this data. Check and change are
 * one atomic script. The highest token is stored without expiry in the slot of the first
 * key: for {@code stock:42} at {@code {stock:42}:fence}. The idea of checking fencing
 * tokens at the resource is from Martin Kleppmann, <em>How to do distributed
 * locking</em>, 2016.
 * <p>
 * Fenced scripts are thread-safe; create each of them once, preferably as a constant.
 *
 * @param <T> type of the result
 * @since 1.0.0
 */
public final class FencedScript<T> {

	private static final Pattern STALE = Pattern.compile("STALETOKEN (\\d+)");

	private final RedisScript<T> script;

	private FencedScript(RedisScript<T> script) {
		this.script = script;
	}

	/**
	 * Create a script.
	 * @param <T> type of the result
	 * @param lua text of the script, which receives only its own {@code KEYS} and
	 * {@code ARGV}
	 * @param resultType type of the result: {@link Long}, {@link String}, {@link Boolean}
	 * or {@link List}
	 * @return the script
	 * @throws IllegalArgumentException if the text is blank, or begins with {@code #!}
	 */
	public static <T> FencedScript<T> of(String lua, Class<T> resultType) {
		Assert.isTrue(StringUtils.hasText(lua), "A fenced script must not be blank");
		Assert.isTrue(!lua.startsWith("#!"),
				() -> "A fenced script must not begin with '#!', because the check precedes it: " + lua);
		return new FencedScript<>(
				new DefaultRedisScript<>(LuaScript.read(FencedScript.class, "fenced.lua").text() + lua, resultType));
	}

	/**
	 * Run the script, unless a later holder has used this data.
	 * @param redis the Redis of the data
	 * @param fencingToken fencing token of the holder
	 * @param keys keys of the script, at least one; in a cluster all in one slot
	 * @param arguments arguments of the script
	 * @return the result of the script
	 * @throws StaleTokenException if a later holder has used this data; nothing was
	 * changed
	 * @throws IllegalArgumentException if there are no keys
	 */
	public @Nullable T execute(StringRedisTemplate redis, long fencingToken, List<String> keys, String... arguments) {
		Assert.notEmpty(keys, "A fenced script needs a key: the data that it guards");
		String guarded = keys.get(0);
		try {
			return redis.execute(this.script, append(keys.stream(), fenceKey(guarded)),
					append(Stream.of(arguments), Long.toString(fencingToken)).toArray());
		}
		catch (DataAccessException ex) {
			Matcher stale = STALE.matcher(String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex).getMessage()));
			if (!stale.find()) {
				throw ex;
			}
			throw new StaleTokenException(guarded, fencingToken, Long.parseLong(stale.group(1)));
		}
	}

	private static List<String> append(Stream<String> some, String last) {
		return Stream.concat(some, Stream.of(last)).toList();
	}

	/**
	 * Return a key in the same slot: with the hash tag of the key, or with the whole key
	 * as the hash tag.
	 */
	private static String fenceKey(String key) {
		int open = key.indexOf('{');
		boolean tagged = open >= 0 && key.indexOf('}', open) > open + 1;
		return tagged ? key + ":fence" : "{" + key + "}:fence";
	}

}
