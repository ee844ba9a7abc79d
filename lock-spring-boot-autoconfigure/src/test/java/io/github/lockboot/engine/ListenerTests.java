package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What listeners are told, and in which order.
 */
class ListenerTests {

	private static final LockRequest ONCE = LockRequest.of("a").waitTime(Duration.ZERO);

	private final SteppedClock clock = new SteppedClock();

	private final FakeStore store = new FakeStore();

	private final List<String> told = new CopyOnWriteArrayList<>();

	private final LockTemplate locks = template(new Recorder());

	@AfterEach
	void close() {
		this.locks.close();
	}

	@Test
	void aCallIsToldFromItsBeginningToTheEndOfItsHold() {
		this.locks.execute("a", () -> this.told.add("section"));
		assertThat(this.told).containsExactly("requested", "acquired", "section", "released");
	}

	@Test
	void aRefusedCallIsToldAsRequestedAndNotAcquired() {
		this.store.onAcquire(() -> FakeStore.busy(1000));
		assertThat(this.locks.tryAcquire(ONCE)).isNull();
		assertThat(this.told).containsExactly("requested", "LockNotAcquiredException");
	}

	@Test
	void aCallThatFindsNoStoreIsToldAsNotAcquired() {
		this.store.onAcquire(FakeStore::down);
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(() -> this.locks.tryAcquire(ONCE));
		assertThat(this.told).containsExactly("requested", "LockUnavailableException");
	}

	@Test
	void anInterruptedCallIsToldAsNotAcquired() {
		this.store.onAcquire(() -> FakeStore.queued(60_000, 0));
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.locks.acquire("a"));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.told).containsExactly("requested", "LockInterruptedException");
	}

	@Test
	void anAsynchronousCallIsToldAsAnyOther() {
		this.locks.acquireAsync(ONCE)
			.thenCompose(LockHandle::closeAsync)
			.toCompletableFuture()
			.orTimeout(30, TimeUnit.SECONDS)
			.join();
		assertThat(this.told).containsExactly("requested", "acquired", "released");
	}

	@Test
	void aCancelledCallIsToldAsNotAcquired() {
		this.store.onAcquire(() -> FakeStore.queued(60_000, 0));
		CompletionStage<LockHandle> call = this.locks.acquireAsync(LockRequest.of("a"));
		((CompletableFuture<?>) call).cancel(false);
		awaitTold("requested", "LockNotAcquiredException");
	}

	@Test
	void theSameLockTakenAgainIsNotTold() {
		this.locks.execute("a", () -> this.locks.execute("a", () -> this.told.add("section")));
		assertThat(this.told).containsExactly("requested", "acquired", "section", "released");
	}

	@Test
	void aLossIsToldInsteadOfARelease() {
		try (LockHandle lock = this.locks.acquire(ONCE.renew(false))) {
			this.clock.advance(Duration.ofSeconds(30));
			assertThat(lock.isHeld()).isFalse();
		}
		awaitTold("requested", "acquired", "lost");
	}

	@Test
	void aLossThatIsFoundOutByTheReleaseIsToldInstead() {
		this.store.onRelease(() -> CompletableFuture.completedStage(ReleaseReply.NOT_OWNER));
		this.locks.acquire(ONCE).close();
		awaitTold("requested", "acquired", "lost");
	}

	@Test
	void aRenewalIsToldWithWhatWasLeftOfTheLease() {
		this.locks.acquire(ONCE);
		this.clock.advance(Duration.ofSeconds(11));
		awaitTold("requested", "acquired", "renewed with 19 s left");
	}

	@Test
	void aLateRenewalIsToldWithLessLeft() {
		this.locks.acquire(ONCE);
		this.store.onRenew(FakeStore::down);
		this.clock.advance(Duration.ofSeconds(28));
		this.store.onRenew(FakeStore::renewed);
		this.clock.advance(Duration.ofMillis(500));
		awaitTold("requested", "acquired", "renewed with 1 s left");
	}

	@Test
	void whatFollowsIsToldToWhomeverTheListenerNamesForTheCall() {
		LockTemplate locks = template(new LockListener() {

			@Override
			public LockListener onRequested(LockRequest request) {
				return new Recorder();
			}

		});
		locks.execute("a", () -> this.told.add("section"));
		assertThat(this.told).containsExactly("acquired", "section", "released");
	}

	@Test
	void aListenerThatFailsAtTheBeginningHurtsNobodyAndIsToldTheRest() {
		LockTemplate locks = template(new Recorder() {

			@Override
			public LockListener onRequested(LockRequest request) {
				throw new IllegalStateException("bad listener");
			}

		});
		locks.execute("a", () -> this.told.add("section"));
		assertThat(this.told).containsExactly("acquired", "section", "released");
	}

	@Test
	void aHoldThatWasLostBeforeItsCallerHadItIsToldInOrder() {
		LockEngine engine = new LockEngine(this.store, this.clock, List.of(new Recorder()));
		Waiter.Call call = Waiters.call(engine, ONCE, engine.notifier().requested(ONCE));
		Hold hold = hold(engine);
		this.clock.jump(Duration.ofSeconds(30));
		hold.loseIfOver();
		engine.notifier().acquired(hold, call);
		awaitTold("requested", "acquired", "lost");
		engine.close();
	}

	@Test
	void aHoldThatItsCallerNeverHadIsNotTold() {
		LockEngine engine = new LockEngine(this.store, this.clock, List.of(new Recorder()));
		hold(engine).close();
		assertThat(this.told).isEmpty();
		engine.close();
	}

	private Hold hold(LockEngine engine) {
		Waiter waiter = Waiters.of(engine, ONCE, 30_000, true);
		engine.submit(waiter);
		return (Hold) waiter.join();
	}

	private LockTemplate template(LockListener listener) {
		return new LockTemplate(this.store, this.clock, LockDefaults.defaults(), List.of(listener));
	}

	private void awaitTold(String... events) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(this.told).containsExactly(events));
	}

	private class Recorder implements LockListener {

		@Override
		public LockListener onRequested(LockRequest request) {
			ListenerTests.this.told.add("requested");
			return this;
		}

		@Override
		public void onAcquired(LockRequest request, LockHandle handle, Duration waited) {
			ListenerTests.this.told.add("acquired");
		}

		@Override
		public void onNotAcquired(LockRequest request, LockException reason, Duration waited) {
			ListenerTests.this.told.add(reason.getClass().getSimpleName());
		}

		@Override
		public void onRenewed(LockRequest request, LockHandle handle, Duration left) {
			ListenerTests.this.told.add("renewed with " + left.toSeconds() + " s left");
		}

		@Override
		public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
			ListenerTests.this.told.add("lost");
		}

		@Override
		public void onReleased(LockRequest request, LockHandle handle, Duration held) {
			ListenerTests.this.told.add("released");
		}

	}

}
