package io.github.lockboot.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

import io.github.lockboot.StaleTokenException;

/**
 * A Lua script of the application that changes what a lock guards in Redis, and that a
 * holder who has lost the lock without having noticed can't run: Redis refuses a fencing
 * token lower than the highest it has seen there. Check and change are one script, and so
 * one step. The highest token is kept without an end beside the first key, in the same
 * slot: for {@code stock:42} at {@code {stock:42}:fence}. The idea of a fencing token at
 * the resource is from Martin Kleppmann, <em>How to do distributed locking</em>, 2016.
 * <p>
 * Thread-safe; made once, best as a constant.
 *
 * @param <T> what the script returns
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
	 * @param <T> what it returns
	 * @param lua text of the script, which sees its own {@code KEYS} and {@code ARGV} and
	 * nothing of the fence
	 * @param resultType what it returns: {@link Long}, {@link String}, {@link Boolean} or
	 * {@link List}
	 * @return the script
	 * @throws IllegalArgumentException if the text is blank, or begins with {@code #!}
	 */
	public static <T> FencedScript<T> of(String lua, Class<T> resultType) {
		Assert.isTrue(StringUtils.hasText(lua), "A fenced script must not be blank");
		Assert.isTrue(!lua.startsWith("#!"),
				() -> "A fenced script must not begin with '#!', for the check stands before it: " + lua);
		return new FencedScript<>(new DefaultRedisScript<>(fence() + lua, resultType));
	}

	private static String fence() {
		try {
			return new ClassPathResource("fenced.lua", FencedScript.class).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Run the script, unless a later holder was there before.
	 * @param redis where the data is
	 * @param fencingToken token of the hold
	 * @param keys keys of the script, at least one; in a cluster all in one slot
	 * @param arguments arguments of the script
	 * @return what the script returns
	 * @throws StaleTokenException if a later holder was there before; nothing was changed
	 * @throws IllegalArgumentException if there is no key
	 */
	public @Nullable T execute(StringRedisTemplate redis, long fencingToken, List<String> keys, String... arguments) {
		Assert.notEmpty(keys, "A fenced script needs a key: what it guards");
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

	/** In the slot of the key: its own hash tag, or else the whole key as one. */
	private static String fenceKey(String key) {
		int open = key.indexOf('{');
		boolean tagged = open >= 0 && key.indexOf('}', open) > open + 1;
		return tagged ? key + ":fence" : "{" + key + "}:fence";
	}

}
