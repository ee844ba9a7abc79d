package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Callbacks of lost locks that block more threads than there are for callbacks.
 */
@Timeout(60)
class BlockingCallbacksTests extends SteppedLocks {

	private static final Duration LONG = Duration.ofSeconds(20);

	private static final int CALLBACKS = 20;

	private final CountDownLatch unblocked = new CountDownLatch(1);

	private final CountDownLatch renewed = new CountDownLatch(1);

	private final AtomicInteger ended = new AtomicInteger();

	@Override
	LockListener listener() {
		return new LockListener() {

			@Override
			public void onRenewed(LockRequest request, LockHandle handle, Duration left) {
				BlockingCallbacksTests.this.renewed.countDown();
			}

		};
	}

	@BeforeEach
	void loseLocksWhoseCallbacksBlock() {
		for (int i = 0; i < CALLBACKS; i++) {
			this.locks.acquire("lost:" + i).onLost(this::block);
			loseLastLock();
		}
	}

	@AfterEach
	void unblock() {
		this.unblocked.countDown();
	}

	@Test
	void doNotDelayAnAsynchronousAcquisition() {
		assertThat(this.locks.acquireAsync(LockRequest.of("a"))).succeedsWithin(LONG);
	}

	@Test
	void doNotDelayAnAsynchronousAcquisitionOfSeveralLocks() {
		assertThat(this.locks.acquireAsync(LockRequest.allOf("a", "b"))).succeedsWithin(LONG);
	}

	@Test
	void doNotDelayAnAsynchronousRelease() {
		assertThat(this.locks.acquire("a").closeAsync()).succeedsWithin(LONG);
	}

	@Test
	void doNotPreventTheInterruptOfASection() {
		assertIsInterrupted(LockRequest.of("a"));
	}

	@Test
	void doNotPreventTheInterruptOfASectionUnderSeveralLocks() {
		assertIsInterrupted(LockRequest.allOf("a", "b"));
	}

	@Test
	void doNotDelayTheNotificationOfARenewal() throws Exception {
		this.locks.acquire("a");
		this.clock.advance(Duration.ofSeconds(11));
		assertThat(this.renewed.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void runAllEvenIfTheyWaitForAThread() {
		assertThat(this.ended).hasValue(0);
		this.unblocked.countDown();
		Awaitility.await().atMost(LONG).untilAsserted(() -> assertThat(this.ended).hasValue(CALLBACKS));
	}

	@Test
	void leaveNoThreadWhenTheTemplateIsClosed() {
		assertThat(this.locks.acquireAsync(LockRequest.of("a"))).succeedsWithin(LONG);
		this.locks.close();
		this.unblocked.countDown();
		Awaitility.await()
			.atMost(LONG)
			.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.doesNotContain("lock-callback", "lock-delivery"));
	}

	private void block() {
		try {
			this.unblocked.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.ended.incrementAndGet();
	}

	private void loseLastLock() {
		this.store.push().taken(this.store.lastAttempt().id());
	}

	private void assertIsInterrupted(LockRequest request) {
		AtomicBoolean interrupted = new AtomicBoolean();
		assertThatException().isThrownBy(() -> this.locks.execute(request.onLost(OnLost.INTERRUPT), () -> {
			loseLastLock();
			try {
				this.unblocked.await(LONG.toSeconds(), TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				interrupted.set(true);
			}
		}));
		assertThat(interrupted).isTrue();
	}

}
