package io.github.lockboot.concurrent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.apache.commons.logging.Log;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Warnings of one kind, of which an outage or a shutdown may bring thousands. The first
 * ones within ten seconds are logged, and then one line counts the others and names some
 * of them. A log in one line counts them all. Thread-safe.
 */
@Internal
public final class WarningLog {

	private static final int SINGLE = 10;

	private static final int EXAMPLES = 5;

	private static final Duration PERIOD = Duration.ofSeconds(10);

	private static final Duration PERIOD_OF_ONE_LINE = Duration.ofSeconds(1);

	private final Log logger;

	private final MonotonicClock clock;

	private final String summary;

	/** How many warnings within a period have a line of their own. */
	private final int single;

	private final Mutex mutex = new Mutex();

	/** Within the present period; guarded by the mutex. */
	private int count;

	/** The first message of the present period; guarded by the mutex. */
	private String first = "";

	/** Of those that were not logged; guarded by the mutex. */
	private final List<String> examples = new ArrayList<>();

	private WarningLog(Log logger, MonotonicClock clock, String summary, int single) {
		this.logger = logger;
		this.clock = clock;
		this.summary = summary;
		this.single = single;
	}

	/**
	 * Return a log.
	 * @param summary what the names of the last line have in common, in the plural
	 */
	public static WarningLog of(Log logger, MonotonicClock clock, String summary) {
		return new WarningLog(logger, clock, summary, SINGLE);
	}

	/**
	 * Return a log that waits for a second, and then writes one line about all warnings.
	 * @param summary what the names of the line have in common, in the plural
	 */
	public static WarningLog inOneLine(Log logger, MonotonicClock clock, String summary) {
		return new WarningLog(logger, clock, summary, 0);
	}

	/**
	 * Log a warning, or count it.
	 * @param name of what the warning is about
	 */
	public void warn(String name, String message) {
		warn(name, message, null);
	}

	/**
	 * Log a warning with a stack, or count it.
	 * @param name of what the warning is about
	 */
	public void warn(String name, String message, @Nullable Throwable stack) {
		int before = this.mutex.get(() -> {
			if (this.count >= this.single && this.examples.size() < EXAMPLES) {
				this.examples.add(name);
			}
			if (this.count == 0) {
				this.first = message;
			}
			return this.count++;
		});
		if (before == 0) {
			this.clock.schedule((this.single > 0) ? PERIOD : PERIOD_OF_ONE_LINE, this::summarize);
		}
		if (before < this.single) {
			this.logger.warn(message, stack);
		}
	}

	/** Log how many warnings were not logged since the last summary, if any. */
	public void summarize() {
		String line = this.mutex.get(() -> {
			String text = summary(this.count - this.single);
			this.count = 0;
			this.examples.clear();
			return text;
		});
		if (!line.isEmpty()) {
			this.logger.warn(line);
		}
	}

	private String summary(int more) {
		if (more <= 0) {
			return "";
		}
		String such = this.summary + ", such as '" + String.join("', '", this.examples) + "'";
		if (this.single > 0) {
			return more + " more " + such;
		}
		return (more == 1) ? this.first : more + " " + such + ". The first: " + this.first;
	}

}
