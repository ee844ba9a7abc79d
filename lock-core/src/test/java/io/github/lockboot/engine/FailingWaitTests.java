package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.LockOperationsContract.BlockingCall;
import io.github.lockboot.engine.store.LockStore.AcquireReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whatever a wait throws, its caller leaves the queue: otherwise the lock would be
 * granted to a call that has ended, and be renewed for ever. Here the clock throws an
 * error once the request was sent.
 */
@Timeout(60)
class FailingWaitTests {

	private static final LockRequest REQUEST = LockRequest.of("a").waitTime(Duration.ofSeconds(20));

	private final FakeStore store = new FakeStore();

	private final Queue<CompletableFuture<AcquireReply>> replies = new ConcurrentLinkedQueue<>();

	private volatile @Nullable Thread failing;

	private final LockTemplate locks = new LockTemplate(this.store, new SteppedClock() {

		@Override
		public long nanoTime() {
			if (Thread.currentThread() == FailingWaitTests.this.failing && !FailingWaitTests.this.replies.isEmpty()) {
				FailingWaitTests.this.failing = null;
				throw new StackOverflowError("of the test");
			}
			return super.nanoTime();
		}

	}, LockDefaults.defaults(), List.of());

	@AfterEach
	void close() {
		this.locks.close();
	}

	@ParameterizedTest
	@EnumSource
	void itsCallerNeitherWaitsForTheLockNorHoldsIt(BlockingCall call) {
		this.store.onAcquire(() -> {
			CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
			this.replies.add(reply);
			return reply;
		});
		this.failing = Thread.currentThread();
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> call.call.accept(this.locks, REQUEST))
			.withMessage("of the test");
		assertThat(this.locks.activity().waiting()).isEmpty();
		int requests = this.replies.size();
		this.replies.forEach((reply) -> reply.complete(this.store.ownedReply()));
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(this.store.takeCalls().stream().filter("release"::equals)).hasSize(requests));
		assertThat(this.locks.activity().held()).isEmpty();
	}

}
