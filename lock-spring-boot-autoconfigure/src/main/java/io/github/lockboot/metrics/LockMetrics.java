package io.github.lockboot.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;

import io.github.lockboot.Internal;
import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;

/**
 * Updates the meters of locks. The meters of a group are registered with the first
 * request for one of its locks. Thread-safe.
 */
@Internal
public final class LockMetrics implements LockListener {

	private final MeterRegistry registry;

	private final ConcurrentMap<String, GroupMeters> groups = new ConcurrentHashMap<>();

	public LockMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public LockListener onRequested(LockRequest request) {
		String group = group(request);
		GroupMeters meters = this.groups.get(group); // cheaper than computeIfAbsent
		if (meters == null) {
			meters = this.groups.computeIfAbsent(group, (name) -> new GroupMeters(this.registry, name));
		}
		return meters.onRequested(request);
	}

	static String group(LockRequest request) {
		return (request.group() != null) ? request.group() : "none";
	}

	/**
	 * The meters of one group. The tag is the group and never the name of a lock, because
	 * the number of names is unlimited. All meters are registered at once, so that the
	 * first loss is a rise from zero and not a new time series.
	 */
	private static final class GroupMeters implements LockListener {

		private final LongAdder waiting = new LongAdder();

		/** The calls whose holds have not ended. */
		private final Set<CallMeters> active = ConcurrentHashMap.newKeySet();

		private final Clock clock;

		private final Map<LockOutcome, Timer> acquire = new EnumMap<>(LockOutcome.class);

		private final Timer hold;

		private final Counter lost;

		private final Counter atRisk;

		private final Counter renewals;

		private final DistributionSummary leaseUsed;

		GroupMeters(MeterRegistry registry, String group) {
			Tags tags = Tags.of("name", group);
			this.clock = registry.config().clock();
			for (LockOutcome outcome : LockOutcome.values()) {
				this.acquire.put(outcome,
						Timer.builder("lock.acquire")
							.description("Time from the request for a lock to its outcome")
							.tags(tags.and("outcome", outcome.tag()))
							.register(registry));
			}
			this.hold = Timer.builder("lock.hold")
				.description("Time for which a lock was held")
				.tags(tags)
				.register(registry);
			gauge("lock.active", this.active::size, "Locks that are held by this instance", registry, tags);
			gauge("lock.waiting", this.waiting::sum, "Callers of this instance that wait for a lock", registry, tags);
			TimeGauge.builder("lock.hold.oldest", this, TimeUnit.NANOSECONDS, GroupMeters::oldestNanos)
				.description("Time for which the oldest hold of this instance has lasted")
				.tags(tags)
				.register(registry);
			this.lost = counter("lock.lost", "Locks that were lost while they were held", registry, tags);
			this.atRisk = counter("lock.at.risk", "Warnings that a lock that is held may be lost soon", registry, tags);
			this.renewals = counter("lock.renewals", "Leases that were extended", registry, tags);
			this.leaseUsed = DistributionSummary.builder("lock.lease.used")
				.description("Fraction of the lease that had passed when a lock was renewed")
				.tags(tags)
				.register(registry);
		}

		private static void gauge(String name, Supplier<Number> value, String description, MeterRegistry registry,
				Tags tags) {
			Gauge.builder(name, value).description(description).tags(tags).strongReference(true).register(registry);
		}

		private double oldestNanos() {
			long now = this.clock.monotonicTime();
			return this.active.stream().mapToLong((call) -> now - call.sinceNanos).max().orElse(0);
		}

		private static Counter counter(String name, String description, MeterRegistry registry, Tags tags) {
			return Counter.builder(name).description(description).tags(tags).register(registry);
		}

		@Override
		public LockListener onRequested(LockRequest request) {
			this.waiting.increment();
			return new CallMeters();
		}

		private Timer timer(LockOutcome outcome) {
			return Objects.requireNonNull(this.acquire.get(outcome));
		}

		/** One call for a lock, and its hold. */
		private final class CallMeters implements LockListener {

			/**
			 * Whether the hold has ended. Another thread may report a released hold as
			 * lost, too.
			 */
			private final AtomicBoolean ended = new AtomicBoolean();

			private volatile long sinceNanos;

			@Override
			public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
				GroupMeters.this.waiting.decrement();
				this.sinceNanos = GroupMeters.this.clock.monotonicTime();
				GroupMeters.this.active.add(this);
				timer(LockOutcome.ACQUIRED).record(waited);
			}

			@Override
			public void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
				GroupMeters.this.waiting.decrement();
				timer(LockOutcome.of(request, reason)).record(waited);
			}

			@Override
			public void onRenewed(LockRequest request, LockHandle handle, Duration lease, Duration left) {
				GroupMeters.this.renewals.increment();
				GroupMeters.this.leaseUsed.record(Math.max(0, 1 - (double) left.toNanos() / lease.toNanos()));
			}

			@Override
			public void onAtRisk(LockRequest request, LockHandle handle, String reason, Duration left) {
				GroupMeters.this.atRisk.increment();
			}

			@Override
			public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
				GroupMeters.this.lost.increment();
				end(reason.held());
			}

			@Override
			public void onReleased(LockRequest request, LockHandle handle, Duration held) {
				end(held);
			}

			private void end(Duration held) {
				if (this.ended.compareAndSet(false, true)) {
					GroupMeters.this.active.remove(this);
					GroupMeters.this.hold.record(held);
				}
			}

		}

	}

}
