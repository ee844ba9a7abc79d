package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.ReactiveLockOperations;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which releases await the reply of the store, and how the others end.
 */
class LockReleaseTests extends SteppedLocks {

	private static final LockRequest REQUEST = LockRequest.of("released");

	private static final LockRequest SEVERAL = REQUEST.names(List.of("a", "b"));

	private static final LockRequest SENT = REQUEST.release(LockRelease.SENT);

	private final CompletableFuture<ReleaseReply> reply = new CompletableFuture<>();

	private final CompletableFuture<Void> sent = new CompletableFuture<>();

	private final LockLifecycle lifecycle = LockLifecycle.of(this.locks);

	private final CapturedLog log = new CapturedLog();

	@BeforeEach
	void replyLater() {
		this.store.onRelease(() -> {
			this.sent.complete(null);
			return this.reply;
		});
	}

	@AfterEach
	void close() {
		this.reply.complete(ReleaseReply.RELEASED);
		this.log.close();
	}

	@Override
	LockListener listener() {
		return new LockListener() {

			@Override
			public void onLost(LockRequest request, LockHandle handle, LockLostException reason) {
				LockReleaseTests.this.events.add("lost");
			}

			@Override
			public void onReleased(LockRequest request, LockHandle handle, Duration held) {
				LockReleaseTests.this.events.add("released");
			}

		};
	}

	// ---- who waits

	static Stream<Arguments> releasesThatNobodyAwaits() {
		LockDefaults defaults = LockDefaults.defaults();
		return Stream.of(release("a section", defaults, (locks) -> locks.execute(REQUEST, () -> "done")),
				release("a section under several locks", defaults, (locks) -> locks.execute(SEVERAL, () -> "done")),
				release("a reactive section", defaults,
						(locks) -> ReactiveLockOperations.of(locks, OnLost.LOG)
							.execute(REQUEST, Mono.just("done"))
							.block(Duration.ofSeconds(30))),
				release("an asynchronous release", defaults, (locks) -> closeAsync(locks, REQUEST)),
				release("an asynchronous release of several locks", defaults, (locks) -> closeAsync(locks, SEVERAL)),
				release("a section whose lock outlives it as a JDK lock", defaults, (locks) -> {
					Lock lock = locks.asLock(REQUEST);
					locks.execute(REQUEST, lock::lock);
					lock.unlock();
				}), release("a handle, by its request", defaults, (locks) -> locks.acquire(SENT).close()),
				release("a handle, by default", defaults.withRelease(LockRelease.SENT),
						(locks) -> locks.acquire(REQUEST).close()),
				release("a JDK lock, by its request", defaults, (locks) -> lockAndUnlock(locks, SENT)),
				release("a section without renewal, by its request", defaults,
						(locks) -> locks.execute(SENT.renew(false), () -> "done")));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("releasesThatNobodyAwaits")
	void nobodyWaits(String release, LockDefaults defaults, Consumer<LockTemplate> caller) {
		CompletableFuture<Void> returned = new CompletableFuture<>();
		start(template(defaults), caller, returned);
		assertThat(returned).succeedsWithin(Duration.ofSeconds(30));
		assertThat(this.store.takeCalls()).contains("release");
	}

	static Stream<Arguments> releasesThatTheCallerAwaits() {
		LockDefaults defaults = LockDefaults.defaults();
		LockRequest confirmed = REQUEST.release(LockRelease.CONFIRMED);
		return Stream.of(release("a handle", defaults, (locks) -> locks.acquire(REQUEST).close()),
				release("a JDK lock", defaults, (locks) -> lockAndUnlock(locks, REQUEST)),
				release("a section, by its request", defaults, (locks) -> locks.execute(confirmed, () -> "done")),
				release("a section under several locks, by its request", defaults,
						(locks) -> locks.execute(SEVERAL.release(LockRelease.CONFIRMED), () -> "done")),
				release("a section, by default", defaults.withRelease(LockRelease.CONFIRMED),
						(locks) -> locks.execute(REQUEST, () -> "done")),
				release("an asynchronous release, by its request", defaults, (locks) -> closeAsync(locks, confirmed)),
				release("a section that throws a loss", defaults,
						(locks) -> locks.execute(SENT.onLost(OnLost.THROW), () -> "done")),
				release("a section that throws a loss by default", defaults.withOnLost(OnLost.INTERRUPT),
						(locks) -> locks.execute(SENT, () -> "done")),
				release("a reactive section that throws a loss", defaults,
						(locks) -> ReactiveLockOperations.of(locks, OnLost.THROW)
							.execute(SENT, Mono.just("done"))
							.block()),
				release("a section without renewal", defaults,
						(locks) -> locks.execute(REQUEST.renew(false), () -> "done")),
				release("a section with a shortest hold", defaults,
						(locks) -> locks.execute(REQUEST.minHoldTime(Duration.ofMinutes(1)), () -> "done")));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("releasesThatTheCallerAwaits")
	void theCallerWaits(String release, LockDefaults defaults, Consumer<LockTemplate> caller) {
		CompletableFuture<Void> returned = new CompletableFuture<>();
		Thread thread = start(template(defaults), caller, returned);
		Awaitility.await()
			.until(() -> this.sent.isDone() && (returned.isDone() || thread.getState() == Thread.State.WAITING));
		assertThat(returned).isNotDone();
		this.reply.complete(ReleaseReply.RELEASED);
		assertThat(returned).succeedsWithin(Duration.ofSeconds(30));
	}

	private static Arguments release(String name, LockDefaults defaults, Consumer<LockTemplate> caller) {
		return Arguments.of(name, defaults, caller);
	}

	private static void closeAsync(LockTemplate locks, LockRequest request) {
		locks.acquire(request).closeAsync().toCompletableFuture().join();
	}

	private static void lockAndUnlock(LockTemplate locks, LockRequest request) {
		Lock lock = locks.asLock(request);
		lock.lock();
		lock.unlock();
	}

	@Test
	void aSectionThatThrowsALossThrowsTheOneThatTheReplyShows() {
		this.reply.complete(ReleaseReply.NOT_OWNER);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.locks.execute(SENT.onLost(OnLost.THROW), () -> "done"));
	}

	// ---- the next caller

	static List<LockRequest> nextCallers() {
		return List.of(SENT, SENT.waitTime(Duration.ZERO), SENT.shared());
	}

	@ParameterizedTest
	@MethodSource("nextCallers")
	void theNextCallerIsSentWithoutTheReply(LockRequest request) {
		this.locks.acquire(request).close();
		assertThat(this.locks.acquire(request).isHeld()).isTrue();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release", "acquire");
	}

	@Test
	void aWaiterToWhichTheLeaseIsNotPassedIsSentRightBehindTheRelease() {
		LockHandle first = this.locks.acquire(SENT.minHoldTime(Duration.ofSeconds(1)));
		CompletableFuture<LockHandle> next = this.locks.acquireAsync(SENT).toCompletableFuture();
		this.clock.advance(Duration.ofMillis(500));
		first.close();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release later", "acquire");
		assertThat(next).succeedsWithin(Duration.ofSeconds(30));
	}

	/** As if another connection had carried the release, or a redirection. */
	@Test
	void aRequestThatOvertakesTheReleaseQueuesBehindItAndIsGrantedTheLock() {
		this.locks.acquire(SENT).close();
		this.store.onAcquire(() -> FakeStore.queued(30_000, 1));
		CompletableFuture<LockHandle> next = this.locks.acquireAsync(SENT).toCompletableFuture();
		this.reply.complete(ReleaseReply.RELEASED);
		assertThat(next).isNotDone();
		this.store.grant(this.store.lastAttempt(), 2, 2000);
		assertThat(next).succeedsWithin(Duration.ofSeconds(30));
	}

	/** A store without a queue, as Redlock. */
	@Test
	void aRequestThatOvertakesTheReleaseAndFindsTheLockBusyIsRepeated() {
		this.locks.acquire(SENT).close();
		this.store.onAcquire(() -> FakeStore.busy(30_000));
		CompletableFuture<LockHandle> next = this.locks.acquireAsync(SENT).toCompletableFuture();
		this.store.onAcquire(this.store::owned);
		this.clock.advance(Duration.ofMillis(250));
		assertThat(next).succeedsWithin(Duration.ofSeconds(30));
	}

	@Test
	void tokensGrowFromOneHoldToTheNext() {
		LockHandle first = this.locks.acquire(SENT);
		first.close();
		assertThat(this.locks.acquire(SENT).fencingToken()).isGreaterThan(first.fencingToken());
		assertThat(this.store.lastSeenToken()).isEqualTo(1);
	}

	@Test
	void aPushForTheFormerAttemptDoesNotConcernTheNext() {
		this.locks.acquire(SENT).close();
		String former = this.store.lastAttempt().id();
		LockHandle next = this.locks.acquire(SENT);
		this.store.push().taken(former);
		assertThat(next.isHeld()).isTrue();
	}

	@Test
	void aWriterThatGoesOnAsAReaderTellsTheStore() {
		ReadWriteLock lock = this.locks.asReadWriteLock("a");
		lock.writeLock().lock();
		lock.readLock().lock();
		lock.writeLock().unlock();
		assertThat(this.store.takeCalls()).containsExactly("acquire", "downgrade");
	}

	// ---- replies

	@Test
	void aReleaseThatFailsIsRepeatedInTheBackground() {
		this.locks.acquire(SENT).close();
		this.store.takeCalls();
		this.store.onRelease(FakeStore::released);
		this.reply.completeExceptionally(new IllegalStateException("no reply"));
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.store.takeCalls()).containsExactly("release");
		assertThat(this.clock.pending()).isZero();
	}

	@Test
	void aReleaseThatFailsDoesNotConcernTheNextHolder() {
		this.locks.acquire(SENT).close();
		LockHandle next = this.locks.acquire(SENT);
		this.store.onRelease(() -> CompletableFuture.completedStage(ReleaseReply.NOT_OWNER));
		this.reply.completeExceptionally(new IllegalStateException("no reply"));
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(next.isHeld()).isTrue();
	}

	@Test
	void aLossThatTheReplyShowsIsReportedAfterTheRelease() {
		LockHandle lock = this.locks.acquire(SENT);
		lock.onLost(() -> this.events.add("callback"));
		lock.close();
		assertThat(this.events).containsExactly("released");
		this.reply.complete(ReleaseReply.NOT_OWNER);
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.events).containsExactlyInAnyOrder("released", "callback", "lost"));
		assertThat(lock.loss()).hasMessageContaining("no longer owned when it was released");
		assertThat(this.log.lines("'released' was lost")).hasSize(1);
		assertThat(this.locks.activity().lost()).hasSize(1);
	}

	@Test
	void aLossThatTheReplyShowsDoesNotConcernTheNextHolder() {
		this.locks.acquire(SENT).close();
		LockHandle next = this.locks.acquire(SENT);
		this.reply.complete(ReleaseReply.NOT_OWNER);
		assertThat(next.isHeld()).isTrue();
	}

	@Test
	void shutdownWaitsForTheReply() {
		this.locks.execute(REQUEST, () -> "done");
		this.lifecycle.stop();
		assertThat(this.lifecycle.awaitAllReleased(Duration.ofMillis(1))).isFalse();
		this.reply.complete(ReleaseReply.RELEASED);
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isTrue();
	}

	@Test
	void shutdownWaitsForTheRepetitionOfAReleaseThatFailed() {
		this.locks.execute(REQUEST, () -> "done");
		this.lifecycle.stop();
		this.store.onRelease(FakeStore::down);
		this.reply.completeExceptionally(new IllegalStateException("no reply"));
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isFalse();
		this.store.onRelease(FakeStore::released);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(this.lifecycle.awaitAllReleased(Duration.ZERO)).isTrue();
	}

	@Test
	void aSuspensionConcernsTheNextHolderOnly() {
		this.locks.acquire(SENT).close();
		this.locks.acquire(SENT);
		this.store.takeCalls();
		this.clock.suspend();
		assertThat(this.store.takeCalls()).containsExactly("renew");
	}

	private LockTemplate template(LockDefaults defaults) {
		return new LockTemplate(this.store, this.clock, defaults, List.of(listener()));
	}

	private static Thread start(LockTemplate locks, Consumer<LockTemplate> caller, CompletableFuture<Void> returned) {
		Thread thread = new Thread(() -> {
			try {
				caller.accept(locks);
				returned.complete(null);
			}
			catch (RuntimeException | Error ex) {
				returned.completeExceptionally(ex);
			}
		});
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

}
