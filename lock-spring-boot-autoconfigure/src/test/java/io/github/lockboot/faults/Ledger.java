package io.github.lockboot.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;

/**
 * What the locks guard in a run: for each lock a counter behind a fence and a plain one,
 * in a Redis that is never harmed. It writes down the history, so that this is complete
 * even if a worker is killed. Not thread-safe.
 */
final class Ledger implements AutoCloseable {

	private static final String HISTORY = "history";

	private static final String PROGRESS = "progress";

	private static final int PATIENCE_MILLIS = 60_000;

	private static final int PAGE = 5000;

	private final Jedis redis;

	private final String open;

	private final String leave;

	Ledger(String host, int port) {
		this.redis = new Jedis(host, port, PATIENCE_MILLIS);
		this.open = this.redis.scriptLoad(script("open.lua"));
		this.leave = this.redis.scriptLoad(script("leave.lua"));
	}

	/**
	 * Begin to work under a hold: read the counters.
	 * @param acquisition which hold
	 * @param times words on its times
	 * @return what was read
	 */
	Reading open(Entry.Acquisition acquisition, String times) {
		List<Long> reply = numbers(this.redis.evalsha(this.open, List.of(acquisition.lock(), HISTORY),
				List.of(Long.toString(acquisition.token()), acquisition + " " + times)));
		return new Reading(reply.get(1), reply.get(2));
	}

	/**
	 * End the work under a hold: write the counters.
	 * @param acquisition which hold
	 * @param state words on its state
	 * @param reading what the written values follow, or {@code null} to write nothing
	 */
	void leave(Entry.Acquisition acquisition, String state, @Nullable Reading reading) {
		Reading from = (reading != null) ? reading : Reading.NONE;
		this.redis.evalsha(this.leave, List.of(acquisition.lock(), HISTORY, PROGRESS),
				List.of(Long.toString(acquisition.token()), acquisition + " " + state, Long.toString(from.fenced()),
						Long.toString(from.plain()), acquisition.actor() + " " + acquisition.lock()));
	}

	/**
	 * Write down something else.
	 * @param line words
	 */
	void note(String line) {
		this.redis.rpush(HISTORY, line);
	}

	/**
	 * Move what has been written down so far into a history.
	 * @param history where to
	 */
	void drainTo(History history) {
		List<String> lines = this.redis.lpop(HISTORY, PAGE);
		while (lines != null && !lines.isEmpty()) {
			lines.forEach((line) -> history.add(Entry.parse(line)));
			lines = this.redis.lpop(HISTORY, PAGE);
		}
	}

	/**
	 * Return how often each actor has worked under each lock, and all together.
	 * @return numbers by {@code <actor> <lock>} and by {@code <lock>}
	 */
	Map<String, Long> progress() {
		return this.redis.hgetAll(PROGRESS)
			.entrySet()
			.stream()
			.flatMap((entry) -> Stream.of(entry.getKey(), entry.getKey().split(" ")[1])
				.map((what) -> Map.entry(what, Long.valueOf(entry.getValue()))))
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Long::sum));
	}

	/**
	 * Return how many updates the plain counter of a lock has lost: as many as a resource
	 * loses that has no fence.
	 * @param lock name of the lock
	 * @return the number
	 */
	long overwritten(String lock) {
		String count = this.redis.hget(lock, "overwritten");
		return (count != null) ? Long.parseLong(count) : 0;
	}

	@Override
	public void close() {
		this.redis.close();
	}

	private static List<Long> numbers(Object reply) {
		return ((List<?>) reply).stream().map(Long.class::cast).toList();
	}

	static String script(String name) {
		try (InputStream stream = Objects.requireNonNull(Ledger.class.getResourceAsStream(name))) {
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * What a hold has read.
	 *
	 * @param fenced the counter behind the fence
	 * @param plain the plain counter
	 */
	record Reading(long fenced, long plain) {

		static final Reading NONE = new Reading(-1, -1);

	}

}
