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

import redis.clients.jedis.Jedis;

/**
 * Records the history of a run in a Redis without faults, so that it is complete even if
 * a worker is killed. Not thread-safe.
 */
final class HistoryRecorder implements AutoCloseable {

	private static final String HISTORY = "history";

	private static final String PROGRESS = "progress";

	private static final int PATIENCE_MILLIS = 60_000;

	private static final int PAGE = 5000;

	private final Jedis redis;

	private final String endScript;

	HistoryRecorder(String host, int port) {
		this.redis = new Jedis(host, port, PATIENCE_MILLIS);
		this.endScript = this.redis.scriptLoad(script("hold-ended.lua"));
	}

	/**
	 * Record the end of a hold, and count it as progress.
	 * @param state its state, as words separated by blanks
	 */
	void holdEnded(Entry.Acquisition acquisition, String state) {
		this.redis.evalsha(this.endScript, List.of(HISTORY, PROGRESS),
				List.of("end " + acquisition + " " + state, acquisition.holder() + " " + acquisition.lock()));
	}

	/**
	 * Record another entry.
	 * @param line the entry, as words separated by blanks
	 */
	void record(String line) {
		this.redis.rpush(HISTORY, line);
	}

	/** Move all recorded entries into a history. */
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

	@Override
	public void close() {
		this.redis.close();
	}

	static String script(String name) {
		try (InputStream stream = Objects.requireNonNull(HistoryRecorder.class.getResourceAsStream(name))) {
			return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
