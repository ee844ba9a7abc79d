package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.fixture.NewThreadExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * A template that stops: which callers it still admits, and when the stop is complete.
 */
class StoppingTests extends SteppedLocks {

	private final LockLifecycle lifecycle = LockLifecycle.of(this.locks);

	@Test
	void laterCallerIsRejectedWithoutARequestToTheStore() {
		this.lifecycle.stop();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.locks.acquire("a"))
			.withMessage("Lock 'a' was not acquired: the application is shutting down and grants no more locks");
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> this.locks.tryExecute(LockRequest.of("a"), () -> {
			}));
		assertThat(this.store.takeCalls()).isEmpty();
	}

	@Test
	void waiterIsRejectedAndLeavesTheQueue() {
		this.store.onAcquire(() -> FakeStore.queued(60_000, 1));
		CompletableFuture<LockHandle> waiting = this.locks.acquireAsync(LockRequest.of("a")).toCompletableFuture();
		this.store.takeCalls();
		this.lifecycle.stop();
		assertThat(waiting).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.withCauseInstanceOf(LockUnavailableException.class);
		assertThat(this.store.takeCalls()).containsExactly("release");
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isTrue();
	}

	@Test
	void waiterForTheFirstReplyIsRejectedAndItsLockReleased() {
		CompletableFuture<AcquireReply> answer = this.store.acquiresLater();
		CompletableFuture<LockHandle> waiting = this.locks.acquireAsync(LockRequest.of("a")).toCompletableFuture();
		this.lifecycle.stop();
		assertThat(waiting).failsWithin(Duration.ofSeconds(10));
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isFalse();
		answer.complete(this.store.ownedReply());
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isTrue();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
	}

	@Test
	void sectionAcquiresAFurtherLockToFinish() {
		this.locks.execute("a", () -> {
			this.lifecycle.stop();
			assertThatNoException().isThrownBy(() -> this.locks.execute("b", () -> {
			}));
			assertThatNoException().isThrownBy(() -> this.locks.execute("a", () -> {
			}));
		});
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isTrue();
	}

	@Test
	void sectionAcquiresSeveralFurtherLocksAsynchronouslyToFinish() {
		this.locks.execute("a", () -> {
			this.lifecycle.stop();
			CompletableFuture<LockHandle> both = this.locks.acquireAsync(LockRequest.allOf("b", "c"))
				.toCompletableFuture();
			assertThat(both).succeedsWithin(Duration.ofSeconds(30));
			both.join().close();
		});
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isTrue();
	}

	@Test
	void sectionThatWaitsForAFurtherLockStaysInTheQueue() {
		this.locks.execute("a", () -> {
			this.store.onAcquire(() -> FakeStore.busy(60_000));
			CompletableFuture<LockHandle> waiting = this.locks.acquireAsync(LockRequest.of("b")).toCompletableFuture();
			this.lifecycle.stop();
			this.store.onAcquire(this.store::owned);
			this.clock.advance(Duration.ofSeconds(1));
			assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
			waiting.join().close();
		});
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isTrue();
	}

	@Test
	void threadOfAnEndedSectionIsRejected() {
		this.locks.execute("a", this.lifecycle::stop);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.locks.acquire("b"));
	}

	@Test
	void stopAwaitsTheReleaseOfTheLastLock() {
		LockHandle first = this.locks.acquire("a");
		LockHandle second = this.locks.acquire("b");
		this.lifecycle.stop();
		first.close();
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isFalse();
		second.close();
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isTrue();
	}

	@Test
	void releaseOfTheLastLockEndsTheStop() {
		LockHandle handle = this.locks.acquire("a");
		this.lifecycle.stop();
		CompletableFuture<Boolean> empty = CompletableFuture
			.supplyAsync(() -> this.lifecycle.awaitAllReleased(Duration.ofMinutes(5)), NewThreadExecutor::run);
		handle.close();
		assertThat(empty).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
	}

	@Test
	void stopAwaitsTheConfirmedReleaseOfAnAbandonedAttempt() {
		this.store.onAcquire(FakeStore::down).onRelease(FakeStore::down);
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> this.locks.tryAcquire(LockRequest.of("a").waitTime(Duration.ZERO)));
		this.lifecycle.stop();
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isFalse();
		this.store.onRelease(FakeStore::released);
		this.clock.advance(Duration.ofSeconds(2));
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isTrue();
	}

	@Test
	void lockWithAnUnconfirmedReleaseIsNotHeld() {
		LockHandle handle = CompletableFuture.supplyAsync(() -> this.locks.acquire("a"), NewThreadExecutor::run).join();
		this.lifecycle.stop();
		assertThat(this.lifecycle.awaitNoneHeld(Duration.ZERO)).isFalse();
		this.store.onRelease(FakeStore::down);
		handle.close();
		assertThat(this.lifecycle.awaitNoneHeld(Duration.ZERO)).isTrue();
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isFalse();
	}

	@Test
	void interruptedThreadDoesNotAwaitTheStop() {
		this.locks.acquire("a");
		this.lifecycle.stop();
		Thread.currentThread().interrupt();
		assertThat(this.lifecycle.awaitAllReleased(Duration.ofMinutes(5))).isFalse();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void lockThatIsHeldAtTheEndIsLostAndReleased() {
		LockHandle handle = this.locks.acquire("a");
		this.store.takeCalls();
		this.lifecycle.stop();
		this.lifecycle.takeAllAway("the application stops");
		assertThat(handle.loss()).hasMessageContaining("the application stops");
		assertThat(this.store.takeCalls()).containsExactly("release");
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isTrue();
	}

	@Test
	void lockThatIsLostAtTheEndIsNotPassedWithinThisInstance() {
		LockHandle handle = this.locks.acquire("a");
		CompletableFuture<LockHandle> waiting = this.locks.acquireAsync(LockRequest.of("a")).toCompletableFuture();
		this.lifecycle.takeAllAway("the application stops");
		assertThat(handle.isHeld()).isFalse();
		assertThat(waiting).failsWithin(Duration.ofSeconds(10));
		assertThat(this.locks.activity().held()).isEmpty();
	}

	@Test
	void afterTheEndNotEvenASectionAcquiresAFurtherLock() {
		this.locks.execute("a", () -> {
			this.lifecycle.takeAllAway("the application stops");
			assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.locks.acquire("b"));
		});
	}

	@Test
	void grantsLocksAgainAfterARestart() {
		this.lifecycle.stop();
		this.lifecycle.resume();
		assertThat(this.locks.acquire("a").isHeld()).isTrue();
	}

	@Test
	void closedEngineRejectsAsynchronousCallersToo() {
		this.locks.close();
		assertThat(this.locks.acquireAsync(LockRequest.of("a")).toCompletableFuture())
			.failsWithin(Duration.ofSeconds(30))
			.withThrowableThat()
			.withCauseInstanceOf(LockUnavailableException.class);
	}

	@Test
	void closedEngineCompletesAsynchronousReleasesToo() {
		LockHandle handle = this.locks.acquire("a");
		this.locks.close();
		assertThat(handle.closeAsync().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(30));
	}

	@Test
	void closedEngineStaysClosed() {
		this.locks.close();
		this.lifecycle.resume();
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.locks.acquire("a"))
			.withMessage("Lock 'a' was not acquired: the locks are closed");
	}

}
