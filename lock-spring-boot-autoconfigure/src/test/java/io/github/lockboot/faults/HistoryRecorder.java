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
 * Records the history of a run in a Redis without faults, so that it is complete even if
 * a worker is killed. It also keeps what the locks protect: for each lock a counter with
 * a fence and a plain one. Not thread-safe.
 */
final class HistoryRecorder implements AutoCloseable {

	private static final String HISTORY = "history";

	private static final String PROGRESS = "progress";

	private static final int PATIENCE_MILLIS = 60_000;

	private static final int PAGE = 5000;

	private final Jedis redis;

	private final String startScript;

	private final String endScript;

	HistoryRecorder(String host, int port) {
		this.redis = new Jedis(host, port, PATIENCE_MILLIS);
		this.startScript = this.redis.scriptLoad(script("hold-started.lua"));
		this.endScript = this.redis.scriptLoad(script("hold-ended.lua"));
	}

	/**
	 * Record the start of a hold and read the counters.
	 * @param acquisition the acquisition
	 * @param times its times, separated by blanks
	 * @return the counters
	 */
	Counters holdStarted(Entry.Acquisition acquisition, String times) {
		List<Long> reply = numbers(this.redis.evalsha(this.startScript, List.of(acquisition.lock(), HISTORY),
				List.of(Long.toString(acquisition.token()), acquisition + " " + times)));
		return new Counters(reply.get(1), reply.get(2));
	}

	/**
	 * Record the end of a hold and increment the counters.
	 * @param acquisition the acquisition
	 * @param state its state, as words separated by blanks
	 * @param counters the counters that were read, or {@code null} to write nothing
	 */
	void holdEnded(Entry.Acquisition acquisition, String state, @Nullable Counters counters) {
		Counters from = (counters != null) ? counters : Counters.NONE;
		this.redis.evalsha(this.endScript, List.of(acquisition.lock(), HISTORY, PROGRESS),
				List.of(Long.toString(acquisition.token()), acquisition + " " + state, Long.toString(from.fenced()),
						Long.toString(from.plain()), acquisition.holder() + " " + acquisition.lock()));
	}

	/**
	 * Record another entry.
	 * @param line the entry, as words separated by blanks
	 */
	void record(String line) {
		this.redis.rpush(HISTORY, line);
	}

	/**
	 * Move all recorded entries into a history.
	 * @param history the history to add them to
	 */
	void drainTo(History history) {
		List<String> lines = this.redis.lpop(HISTORY, PAGE);
		while (lines != null && !lines.isEmpty()) {
			lines.forEach((line) -> history.add(Entry.parse(line)));
			lines = this.redis.lpop(HISTORY, PAGE);
		}
	}

	/**
	 * Return how often each lock was held, by each thread and in total.
	 * @return numbers by {@code <holder> <lock>} and by {@code <lock>}
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
	 * Return how many updates of a lock's plain counter were lost, as they would be of
	 * any resource without a fence.
	 * @param lock name of the lock
	 * @return the number of updates
	 */
	long lostUpdates(String lock) {
		String count = this.redis.hget(lock, "lostUpdates");
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
		try (InputStream stream = Objects.requireNonNull(HistoryRecorder.class.getResourceAsStream(name))) {
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Values of a lock's counters.
	 *
	 * @param fenced the counter with the fence
	 * @param plain the plain counter
	 */
	record Counters(long fenced, long plain) {

		static final Counters NONE = new Counters(-1, -1);

	}

}
