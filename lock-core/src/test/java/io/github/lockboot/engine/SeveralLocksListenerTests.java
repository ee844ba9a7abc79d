package io.github.lockboot.engine;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockStore.AcquireReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Listeners of a call for several locks are notified of one call for each lock. */
class SeveralLocksListenerTests extends SteppedLocks {

	private static final LockRequest BOTH = LockRequest.allOf("a", "b");

	private static final LockRequest ONCE = BOTH.waitTime(Duration.ZERO);

	private final Set<Thread> callers = ConcurrentHashMap.newKeySet();

	@Override
	LockListener listener() {
		return new Recorder() {

			@Override
			public LockListener onRequested(LockRequest request) {
				SeveralLocksListenerTests.this.callers.add(Thread.currentThread());
				return super.onRequested(request);
			}

		};
	}

	@Test
	void allRequestsAreNotifiedBeforeTheStoreIsCalledAndThenEachLock() {
		this.store.onAcquire(() -> {
			this.events.add("asked");
			return this.store.owned();
		});
		this.locks.acquire(BOTH).close();
		assertThat(this.events).containsExactly("requested a", "requested b", "asked", "asked", "acquired a",
				"acquired b", "released a", "released b");
	}

	@Test
	void eachFailureIsNotified() {
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		assertThat(this.locks.tryAcquire(ONCE)).isNull();
		assertThat(this.events).containsExactly("requested a", "requested b", "LockNotAcquiredException a",
				"LockNotAcquiredException b");
	}

	@Test
	void theFirstIsNotReportedAsHeldWhileTheCallerWaitsForTheSecond() {
		this.store.onAcquire(this::queuedFromTheSecondOn);
		CompletableFuture<LockHandle> call = this.locks.acquireAsync(BOTH).toCompletableFuture();
		awaitWaiting("b");
		assertThat(this.events).containsExactly("requested a", "requested b");
		call.cancel(false);
		awaitEvents("requested a", "requested b", "LockNotAcquiredException a", "LockNotAcquiredException b");
	}

	@Test
	void allRequestsOfAnAsynchronousCallerAreNotifiedOnItsThread() {
		assertThat(this.locks.acquireAsync(BOTH).toCompletableFuture()).succeedsWithin(Duration.ofSeconds(30));
		awaitEvents("requested a", "requested b", "acquired a", "acquired b");
		assertThat(this.callers).containsExactly(Thread.currentThread());
	}

	@Test
	void theCallerIsReportedAsWaitingForTheNextOfThem() {
		this.store.onAcquire(this::queuedFromTheSecondOn);
		this.locks.acquireAsync(BOTH);
		awaitWaiting("b");
		assertThat(this.locks.activity().waiting()).singleElement()
			.satisfies((waiting) -> assertThat(waiting.thread()).isEqualTo(Thread.currentThread().getName()));
	}

	@Test
	void leaseThatEndedBeforeTheLastAcquisitionIsNotNotified() {
		this.store.onAcquire(() -> {
			this.store.onAcquire(() -> {
				this.store.onAcquire(this.store::owned);
				this.clock.jump(Duration.ofSeconds(40));
				return this.store.owned();
			});
			return this.store.owned();
		});
		this.locks.acquire(BOTH.waitTime(Duration.ofMinutes(5)));
		assertThat(this.events).containsExactly("requested a", "requested b", "acquired a", "acquired b");
	}

	@Test
	void anInterruptIsNotifiedForEach() {
		this.store.onAcquire(CompletableFuture::new);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.locks.acquire(BOTH));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.events).containsExactly("requested a", "requested b", "LockInterruptedException a",
				"LockInterruptedException b");
	}

	@Test
	void shutdownIsNotifiedForEach() {
		this.store.onAcquire(this::queuedFromTheSecondOn);
		this.locks.acquireAsync(BOTH);
		awaitWaiting("b");
		LockLifecycle.of(this.locks).stop();
		awaitEvents("requested a", "requested b", "LockUnavailableException a", "LockUnavailableException b");
		Awaitility.await().until(() -> LockLifecycle.of(this.locks).awaitAllReleased(Duration.ZERO));
	}

	private CompletionStage<AcquireReply> queuedFromTheSecondOn() {
		this.store.onAcquire(() -> FakeStore.queued(60_000, 0));
		return this.store.owned();
	}

	private void awaitWaiting(String lock) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.locks.activity().waiting()).singleElement()
				.satisfies((waiting) -> assertThat(waiting.name()).isEqualTo(lock)));
	}

}
