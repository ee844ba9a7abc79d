package io.github.lockboot.engine;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The notifications of listeners and their order. */
class ListenerTests extends SteppedLocks {

	private static final LockRequest ONCE = LockRequest.of("a").waitTime(Duration.ZERO);

	@Override
	LockListener listener() {
		return new Recorder();
	}

	@Test
	void aRejectedCallIsNotifiedAsRequestedAndNotAcquired() {
		this.store.onAcquire(() -> FakeStore.busy(1000));
		assertThat(this.locks.tryAcquire(ONCE)).isNull();
		assertThat(this.events).containsExactly("requested a", "LockNotAcquiredException a");
	}

	@Test
	void aCallWithoutAStoreIsNotifiedAsNotAcquired() {
		this.store.onAcquire(FakeStore::down);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.locks.tryAcquire(ONCE));
		assertThat(this.events).containsExactly("requested a", "LockUnavailableException a");
	}

	@Test
	void anInterruptedCallIsNotifiedAsNotAcquired() {
		this.store.onAcquire(() -> FakeStore.queued(60_000, 0));
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.locks.acquire("a"));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.events).containsExactly("requested a", "LockInterruptedException a");
	}

	@Test
	void anAsynchronousCallIsNotifiedLikeAnyOther() {
		this.locks.acquireAsync(ONCE)
			.thenCompose(LockHandle::closeAsync)
			.toCompletableFuture()
			.orTimeout(30, TimeUnit.SECONDS)
			.join();
		assertThat(this.events).containsExactly("requested a", "acquired a", "released a");
	}

	@Test
	void aReleaseWhoseCallerCancelsIsNotified() {
		CompletableFuture<ReleaseReply> reply = this.store.releasesLater();
		CompletionStage<Void> release = this.locks.acquire(ONCE.release(LockRelease.CONFIRMED)).closeAsync();
		release.toCompletableFuture().cancel(false);
		reply.complete(ReleaseReply.RELEASED);
		awaitEvents("requested a", "acquired a", "released a");
	}

	@Test
	void aCancelledCallIsNotifiedAsNotAcquired() {
		this.store.onAcquire(() -> FakeStore.queued(60_000, 0));
		CompletionStage<LockHandle> call = this.locks.acquireAsync(LockRequest.of("a"));
		((CompletableFuture<?>) call).cancel(false);
		awaitEvents("requested a", "LockNotAcquiredException a");
	}

	@Test
	void aReentrantAcquisitionIsNotNotified() {
		this.locks.execute("a", () -> this.locks.execute("a", () -> this.events.add("section")));
		assertThat(this.events).containsExactly("requested a", "acquired a", "section", "released a");
	}

	@Test
	void aLossIsNotifiedInsteadOfARelease() {
		try (LockHandle lock = this.locks.acquire(ONCE.renew(false))) {
			this.clock.advance(Duration.ofSeconds(30));
			assertThat(lock.isHeld()).isFalse();
		}
		awaitEvents("requested a", "acquired a", "lost a");
	}

	@Test
	void aLossDetectedByTheReleaseIsNotifiedInstead() {
		this.store.onRelease(() -> CompletableFuture.completedStage(ReleaseReply.NOT_OWNER));
		this.locks.acquire(ONCE).close();
		awaitEvents("requested a", "acquired a", "lost a");
	}

	@Test
	void eachRenewalIsNotifiedWithTheRemainingLease() {
		this.locks.acquire(ONCE);
		this.clock.advance(Duration.ofSeconds(11));
		awaitEvents("requested a", "acquired a", "renewed a with 20 s left");
		this.clock.advance(Duration.ofSeconds(10));
		awaitEvents("requested a", "acquired a", "renewed a with 20 s left", "renewed a with 20 s left");
	}

	@Test
	void aLateRenewalIsNotifiedWithLessRemainingLease() {
		this.locks.acquire(ONCE);
		this.store.onRenew(FakeStore::down);
		this.clock.advance(Duration.ofSeconds(28));
		this.store.onRenew(FakeStore::renewed);
		this.clock.advance(Duration.ofMillis(500));
		awaitEvents("requested a", "acquired a", "renewed a with 1 s left");
	}

	@Test
	void laterEventsReachTheListenerThatIsReturnedForTheCall() {
		LockTemplate locks = template(new LockListener() {

			@Override
			public LockListener onRequested(LockRequest request) {
				return new Recorder();
			}

		});
		locks.execute("a", () -> this.events.add("section"));
		assertThat(this.events).containsExactly("acquired a", "section", "released a");
	}

	@Test
	void theListenerOfACallReceivesItsEventsEvenIfItEqualsTheGeneralOne() {
		record Collector(List<String> events) implements LockListener {

			@Override
			public LockListener onRequested(LockRequest request) {
				return new Collector(new ArrayList<>());
			}

			@Override
			public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
				this.events.add("acquired a");
			}

		}
		Collector general = new Collector(new ArrayList<>());
		template(general).execute("a", () -> "done");
		assertThat(general.events).isEmpty();
	}

	@Test
	void aListenerThatFailsAtTheRequestAffectsNothingAndReceivesLaterEvents() {
		LockTemplate locks = template(new Recorder() {

			@Override
			public LockListener onRequested(LockRequest request) {
				throw new IllegalStateException("bad listener");
			}

		});
		locks.execute("a", () -> this.events.add("section"));
		assertThat(this.events).containsExactly("acquired a", "section", "released a");
	}

	@Test
	void aListenerThatFailsAtAnAcquisitionAffectsNothing() {
		LockTemplate locks = template(new LockListener() {

			@Override
			public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
				throw new IllegalStateException("bad listener");
			}

		});
		assertThat(locks.execute("a", () -> "done")).isEqualTo("done");
	}

	@Test
	void aListenerThatThrowsACheckedExceptionAffectsNothing() { // as one in Kotlin may
		LockTemplate locks = template(new LockListener() {

			@Override
			public LockListener onRequested(LockRequest request) {
				throw ListenerTests.<RuntimeException>checked();
			}

			@Override
			public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
				throw ListenerTests.<RuntimeException>checked();
			}

		});
		assertThat(locks.execute("a", () -> "done")).isEqualTo("done");
		assertThat(locks.activity().held()).isEmpty();
	}

	@SuppressWarnings("unchecked")
	private static <X extends Throwable> X checked() throws X {
		throw (X) new IOException("bad listener");
	}

	@Test
	void aHoldThatIsLostBeforeItsCallerReceivesItIsNotifiedInOrder() {
		LockEngine engine = new LockEngine(this.store, this.clock, List.of(new Recorder()));
		Waiter.Call call = Waiters.call(engine, ONCE, engine.notifier().requested(ONCE));
		Hold hold = hold(engine);
		this.clock.jump(Duration.ofSeconds(30));
		hold.loseIfOver();
		engine.notifier().acquired(hold.holder(), call);
		awaitEvents("requested a", "acquired a", "lost a");
		engine.close();
	}

	@Test
	void aHoldThatItsCallerNeverReceivesIsNotNotified() {
		LockEngine engine = new LockEngine(this.store, this.clock, List.of(new Recorder()));
		hold(engine).close();
		assertThat(this.events).isEmpty();
		engine.close();
	}

	private Hold hold(LockEngine engine) {
		Waiter waiter = Waiters.of(engine, ONCE, 30_000, true);
		engine.submit(waiter);
		return (Hold) waiter.join();
	}

}
