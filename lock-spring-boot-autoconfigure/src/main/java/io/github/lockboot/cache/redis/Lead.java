package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.protocol.CacheClock;
import io.github.lockboot.cache.protocol.Envelope;

/**
 * The right of one caller to load for a flight, and the lease that it rests on. Without a
 * lease, while Redis fails, it stands for this JVM only and nothing is stored. One of its
 * ends is called, once.
 */
final class Lead {

	private final Flight flight;

	private final @Nullable String attempt;

	private final long graceMillis;

	private final boolean forLater;

	private volatile boolean over;

	private volatile CacheClock.@Nullable Timer timer;

	Lead(Flight flight, String attempt, long graceMillis) {
		this(flight, attempt, graceMillis, true);
	}

	private Lead(Flight flight, @Nullable String attempt, long graceMillis, boolean forLater) {
		this.flight = flight;
		this.attempt = attempt;
		this.graceMillis = graceMillis;
		this.forLater = forLater;
	}

	/**
	 * The right to load without a lease.
	 * @param forLater whether those who come aboard during the load share its value
	 */
	static Lead withoutLease(Flight flight, boolean forLater) {
		return new Lead(flight, null, 0, forLater);
	}

	/** How long the entry may live at most, 0 for no such limit. */
	long graceMillis() {
		return this.graceMillis;
	}

	boolean mayStore() {
		return this.attempt != null;
	}

	void loading(@Nullable Thread thread) {
		this.flight.loading(thread);
	}

	/**
	 * Renew the lease at each third of it while the load runs, up to the longest load.
	 */
	void begin() {
		keepLease(this.flight.cache().settings().maxLoadTime());
	}

	private void keepLease(Duration left) {
		Duration third = this.flight.cache().settings().lease().dividedBy(3);
		Duration pause = (this.attempt == null || third.compareTo(left) > 0) ? left : third;
		this.timer = this.flight.flights().clock().schedule(pause, () -> {
			if (this.over) {
				return;
			}
			if (pause == left) {
				overdue();
				return;
			}
			keepLease(left.minus(pause));
			if (this.attempt != null) {
				this.flight.store()
					.renew(this.flight.keys(), this.attempt, this.flight.cache().settings().lease().toMillis());
			}
		});
		if (this.over) {
			stop();
		}
	}

	/** The right goes to another; what is loaded here is for its own caller only. */
	private void overdue() {
		giveUp();
		this.flight.overdue();
	}

	/**
	 * Store what was loaded. All who are aboard get it if that succeeds; if not, it was
	 * evicted meanwhile for all one knows, and they look again.
	 * @return whether it was stored, once that is known
	 */
	CompletableFuture<Boolean> store(Envelope envelope, long lifeMillis) {
		stop();
		if (this.attempt == null) {
			throw new IllegalStateException("There is no lease to store anything with");
		}
		this.flight.cut();
		return this.flight.store()
			.store(this.flight.keys(), this.attempt, envelope.bytes(), lifeMillis)
			.handle((stored, failure) -> stored(envelope, Boolean.TRUE.equals(stored), failure));
	}

	private boolean stored(Envelope envelope, boolean stored, @Nullable Throwable failure) {
		this.flight.flights().tell(this.flight.cache(), event(stored, failure));
		if (stored) {
			this.flight.land(new Arrival.WithEntry(envelope, true));
		}
		else {
			if (failure != null) {
				giveUp();
			}
			this.flight.landWithNobody();
		}
		return stored;
	}

	private static CacheEvent event(boolean stored, @Nullable Throwable failure) {
		if (failure != null) {
			return CacheEvent.REDIS_FAILED;
		}
		return stored ? CacheEvent.STORED : CacheEvent.REFUSED;
	}

	/**
	 * Share a value that is not stored, unless it was evicted meanwhile.
	 * @return done once that is known
	 */
	CompletableFuture<?> share(@Nullable Object value) {
		stop();
		if (this.forLater) {
			this.flight.cut();
		}
		if (this.attempt == null) {
			this.flight.land(new Arrival.WithValue(value));
			return CompletableFuture.completedFuture(null);
		}
		return this.flight.store().abandon(this.flight.keys(), this.attempt, 0).handle((current, failure) -> {
			if (Boolean.TRUE.equals(current)) {
				this.flight.land(new Arrival.WithValue(value));
			}
			else {
				this.flight.landWithNobody();
			}
			return null;
		});
	}

	/** Share a failure. */
	void fail(Throwable failure) {
		giveUp();
		this.flight.cut();
		this.flight.land(new Arrival.WithFailure(failure));
	}

	/** Give the lease back; the flight goes on. */
	void giveUp() {
		giveUp(Duration.ZERO);
	}

	/**
	 * Give the lease back; the flight goes on.
	 * @param pause how long no JVM is to load the entry, if nobody waits for it
	 */
	void giveUp(Duration pause) {
		stop();
		if (this.attempt != null) {
			this.flight.store().abandon(this.flight.keys(), this.attempt, pause.toMillis());
		}
	}

	/** Give the lease back; all aboard look again. */
	void leave() {
		giveUp();
		this.flight.landWithNobody();
	}

	private void stop() {
		this.over = true;
		CacheClock.Timer timer = this.timer;
		if (timer != null) {
			timer.cancel();
		}
	}

}
