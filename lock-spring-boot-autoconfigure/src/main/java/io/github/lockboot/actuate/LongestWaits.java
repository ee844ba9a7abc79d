package io.github.lockboot.actuate;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;

/**
 * Remembers for which locks callers of this instance have waited longest in the last five
 * to ten minutes. The memory is bounded: of more than a hundred names, those with the
 * least waiting are forgotten. Thread-safe.
 */
@Internal
public final class LongestWaits implements LockListener {

	/** A free lock is acquired within a shorter time. */
	private static final Duration SHORTEST = Duration.ofMillis(10);

	private static final Duration PERIOD = Duration.ofMinutes(5);

	private static final int REMEMBERED = 100;

	private static final int SHOWN = 20;

	private static final Comparator<Waits> LEAST_FIRST = Comparator.comparing(Waits::total);

	private final LongSupplier nanoTime;

	private final ReentrantLock mutex = new ReentrantLock();

	/** Guarded by the mutex, as are the fields that follow. */
	private Map<String, Waits> previous = new HashMap<>();

	private Map<String, Waits> present = new HashMap<>();

	private long presentSince;

	public LongestWaits() {
		this(System::nanoTime);
	}

	LongestWaits(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		this.presentSince = nanoTime.getAsLong();
	}

	@Override
	public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
		add(request.name(), waited);
	}

	@Override
	public void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
		add(request.name(), waited);
	}

	private void add(String name, Duration waited) {
		if (waited.compareTo(SHORTEST) >= 0) {
			remember(new Waits(name, 1, waited, waited));
		}
	}

	private void remember(Waits waits) {
		this.mutex.lock();
		try {
			startPeriods();
			addToPresent(waits);
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void addToPresent(Waits waits) {
		if (this.present.size() == REMEMBERED && !this.present.containsKey(waits.name())) {
			Waits least = this.present.values().stream().min(LEAST_FIRST).orElseThrow();
			if (LEAST_FIRST.compare(least, waits) >= 0) {
				return;
			}
			this.present.remove(least.name());
		}
		this.present.merge(waits.name(), waits, Waits::plus);
	}

	private void startPeriods() {
		long passed = this.nanoTime.getAsLong() - this.presentSince;
		if (passed >= PERIOD.toNanos()) {
			this.previous = (passed < 2 * PERIOD.toNanos()) ? this.present : new HashMap<>();
			this.present = new HashMap<>();
			this.presentSince += passed;
		}
	}

	/** Return the waits, the longest total first, of all locks or of one. */
	List<Waits> list(@Nullable String name) {
		Map<String, Waits> all = all();
		Stream<Waits> chosen = (name != null) ? Stream.ofNullable(all.get(name)) : all.values().stream();
		return chosen.sorted(LEAST_FIRST.reversed()).limit(SHOWN).map(Waits::shown).toList();
	}

	private Map<String, Waits> all() {
		this.mutex.lock();
		try {
			startPeriods();
			Map<String, Waits> all = new HashMap<>(this.previous);
			this.present.forEach((lock, waits) -> all.merge(lock, waits, Waits::plus));
			return all;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * How long callers of this instance have waited for one lock.
	 *
	 * @param name name of the lock
	 * @param callers how many callers have waited, whether or not they acquired the lock
	 * @param total the sum of their times
	 * @param longest the longest time
	 */
	public record Waits(String name, long callers, Duration total, Duration longest) {

		private Waits shown() {
			return new Waits(this.name, this.callers, this.total.truncatedTo(ChronoUnit.MILLIS),
					this.longest.truncatedTo(ChronoUnit.MILLIS));
		}

		private Waits plus(Waits other) {
			return new Waits(this.name, this.callers + other.callers, this.total.plus(other.total),
					(this.longest.compareTo(other.longest) > 0) ? this.longest : other.longest);
		}

	}

}
