package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A lost lease is logged as one warning with lock, time held, last renewal, deadline and
 * cause.
 */
class LossReportTests extends SteppedLocks {

	private static final LockRequest REQUEST = LockRequest.of("loss-report:42");

	@AutoClose
	private final CapturedLog log = new CapturedLog();

	@Test
	void reportsAllDetails() {
		LockHandle lock = this.locks.acquire(REQUEST);
		this.clock.advance(Duration.ofSeconds(11)); // renewed at 9.6 s
		this.store.onRenew(FakeStore::down);
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.log.lines("was lost")).containsExactly(
				"WARN Lock 'loss-report:42' was lost after 39297 ms: its lease of 30000 ms ran out before it could be renewed"
						+ " (last failure: java.lang.IllegalStateException: store is down); last renewed 29698 ms ago,"
						+ " deadline 0 ms ago; fencing token " + lock.fencingToken());
	}

	@Test
	void reportsTheShortLeaseOfALockThatWasHandedOver() {
		this.store.onAcquire(() -> FakeStore.queued(60_000, 0)).onRenew(CompletableFuture::new);
		CompletableFuture<LockHandle> call = this.locks.acquireAsync(REQUEST).toCompletableFuture();
		this.store.grant(this.store.lastAttempt(), 0, 2_000);
		assertThat(call).succeedsWithin(Duration.ofSeconds(30));
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(this.log.lines("was lost")).singleElement().asString().contains("its lease of 2000 ms ran out");
	}

	@Test
	void reportsALossBeforeTheDeadline() {
		LockHandle lock = this.locks.acquire(REQUEST);
		this.clock.advance(Duration.ofSeconds(5));
		this.store.push().taken(this.store.lastAttempt().id());
		assertThat(this.log.lines("loss-report:42"))
			.containsExactly("WARN Lock 'loss-report:42' was lost after 5000 ms:"
					+ " it was released by force; never renewed, deadline in 24698 ms; fencing token "
					+ lock.fencingToken());
	}

	@Test
	void isOneForAllHoldersOfALease() {
		LockRequest shared = REQUEST.shared();
		this.locks.acquire(shared);
		this.clock.advance(Duration.ofSeconds(5));
		this.locks.acquire(shared);
		this.locks.acquire(shared);
		this.store.push().taken(this.store.lastAttempt().id());
		assertThat(this.log.lines("loss-report:42")).singleElement()
			.asString()
			.contains("was lost after 5000 ms", "3 holders");
	}

	@Test
	void isOneForAReentrantHold() {
		this.locks.execute(REQUEST, () -> this.locks.execute(REQUEST, () -> {
			this.store.push().taken(this.store.lastAttempt().id());
		}));
		assertThat(this.log.lines("loss-report:42")).hasSize(1);
	}

	@Test
	void isOneForEachLease() {
		for (int i = 0; i < 2; i++) {
			this.locks.acquire(REQUEST);
			this.store.push().taken(this.store.lastAttempt().id());
		}
		assertThat(this.log.lines("loss-report:42")).hasSize(2);
	}

	@Test
	void isNoneForALockThatItsCallerNeverReceived() {
		LockEngine engine = new LockEngine(this.store, this.clock, List.of());
		Waiter waiter = Waiters.of(engine, REQUEST, 30_000, true);
		engine.submit(waiter);
		this.clock.jump(Duration.ofMinutes(1));
		((Hold) waiter.join()).close();
		assertThat(this.log.lines("loss-report:42")).isEmpty();
		engine.close();
	}

	@Test
	void isNoneWhereNothingIsLost() {
		for (int i = 0; i < 100; i++) {
			this.locks.execute(REQUEST, () -> this.clock.advance(Duration.ofMinutes(1)));
		}
		assertThat(this.log.lines("loss-report:42")).isEmpty();
	}

}
