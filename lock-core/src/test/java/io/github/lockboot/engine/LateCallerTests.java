package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

import org.junit.jupiter.api.Test;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockStore.AcquireReply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Callers that are suspended between the grant of their lease and their return from the
 * acquire.
 */
class LateCallerTests extends SteppedLocks {

	private static final LockRequest REQUEST = LockRequest.of("a").leaseTime(Duration.ofSeconds(30));

	private static final LockRequest KEPT = REQUEST.minHoldTime(Duration.ofSeconds(20));

	@Test
	void doNotStartOnALeaseThatIsOver() {
		this.store.onAcquire(this::ownedButNoticedAfterAMinute);
		try (LockHandle lock = this.locks.acquire(REQUEST.waitTime(Duration.ofMinutes(5)))) {
			assertThat(lock.isHeld()).isTrue();
		}
		assertThat(this.store.takeCalls()).startsWith("acquire", "release", "acquire");
	}

	@Test
	void doNotStartAnAsynchronousSectionEither() {
		this.store.onAcquire(this::ownedButNoticedAfterAMinute);
		LockHandle lock = this.locks.acquireAsync(REQUEST.waitTime(Duration.ofMinutes(5))).toCompletableFuture().join();
		assertThat(lock.isHeld()).isTrue();
	}

	@Test
	void leaveWhenTheirWaitTimeIsOver() {
		this.store.onAcquire(() -> FakeStore.busy(60_000));
		CompletionStage<LockHandle> late = this.locks.acquireAsync(REQUEST.waitTime(Duration.ofSeconds(1)));
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(late.toCompletableFuture()).failsWithin(Duration.ofSeconds(30));
	}

	@Test
	void areRejectedWhenTheirWaitTimeIsOverToo() {
		this.store.onAcquire(this::ownedButNoticedAfterAMinute);
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.locks.acquire(REQUEST.waitTime(Duration.ofSeconds(1))));
	}

	@Test
	void doNotStartOnALeaseThatWasGrantedBeforeTheMachineStoodStill() {
		this.store.onAcquire(() -> {
			this.clock.standStill();
			return CompletableFuture.completedFuture(this.store.ownedReply());
		});
		assertThatExceptionOfType(LockNotAcquiredException.class)
			.isThrownBy(() -> this.locks.acquire(KEPT.waitTime(Duration.ZERO)));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
	}

	@Test
	void doNotKeepALockForASectionThatIsNotAdmitted() {
		this.locks.admission(() -> {
			throw new IllegalStateException("not admitted");
		});
		assertThatIllegalStateException().isThrownBy(() -> this.locks.execute(KEPT, () -> "done"));
		assertThat(this.store.takeCalls()).containsExactly("acquire", "release");
	}

	private CompletableFuture<AcquireReply> ownedButNoticedAfterAMinute() {
		this.store.onAcquire(() -> CompletableFuture.completedFuture(this.store.ownedReply()));
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>() {

			@Override
			public CompletableFuture<AcquireReply> whenComplete(
					BiConsumer<? super AcquireReply, ? super Throwable> action) {
				CompletableFuture<AcquireReply> stage = super.whenComplete(action);
				LateCallerTests.this.clock.jump(Duration.ofMinutes(1));
				return stage;
			}

		};
		reply.complete(this.store.ownedReply());
		return reply;
	}

}
