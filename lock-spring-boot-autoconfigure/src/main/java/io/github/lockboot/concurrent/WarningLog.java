package io.github.lockboot.concurrent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.apache.commons.logging.Log;

import io.github.lockboot.Internal;

/**
 * Warnings of one kind, of which an outage or a shutdown may bring thousands. The first
 * ones within ten seconds are logged, and then one line counts the others and names some
 * of them. Thread-safe.
 */
@Internal
public final class WarningLog {

	private static final int SINGLE = 10;

	private static final int EXAMPLES = 5;

	private static final Duration PERIOD = Duration.ofSeconds(10);

	private final Log logger;

	private final MonotonicClock clock;

	private final String summary;

	private final Mutex mutex = new Mutex();

	/** Within the present period; guarded by the mutex. */
	private int count;

	/** Of those that were not logged; guarded by the mutex. */
	private final List<String> examples = new ArrayList<>();

	/**
	 * Create a log.
	 * @param summary what the names of the last line have in common, in the plural
	 */
	public WarningLog(Log logger, MonotonicClock clock, String summary) {
		this.logger = logger;
		this.clock = clock;
		this.summary = summary;
	}

	/**
	 * Log a warning, or count it.
	 * @param name of what the warning is about
	 */
	public void warn(String name, String message) {
		int before = this.mutex.get(() -> {
			if (this.count >= SINGLE && this.examples.size() < EXAMPLES) {
				this.examples.add(name);
			}
			return this.count++;
		});
		if (before == 0) {
			this.clock.schedule(PERIOD, this::summarize);
		}
		if (before < SINGLE) {
			this.logger.warn(message);
		}
	}

	/** Log how many warnings were not logged since the last summary, if any. */
	public void summarize() {
		String line = this.mutex.get(() -> {
			int more = this.count - SINGLE;
			String names = String.join("', '", this.examples);
			this.count = 0;
			this.examples.clear();
			return (more > 0) ? more + " more " + this.summary + ", such as '" + names + "'" : "";
		});
		if (!line.isEmpty()) {
			this.logger.warn(line);
		}
	}

}
