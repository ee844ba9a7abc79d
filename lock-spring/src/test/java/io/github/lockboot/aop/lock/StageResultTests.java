package io.github.lockboot.aop.lock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockKeyException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.OnLost;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.annotation.OnNotAcquired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Annotated methods that return a {@link CompletionStage}.
 */
@Timeout(60)
class StageResultTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final AnnotatedProxies proxies = new AnnotatedProxies();

	private final Orders target = new Orders();

	private final Orders orders = this.proxies.proxy(this.target);

	@AfterEach
	void close() {
		this.proxies.close();
	}

	@Test
	void lockIsHeldUntilTheStageIsCompleted() {
		CompletableFuture<String> paid = this.orders.pay("42");
		await().until(() -> this.target.bodies.size() == 1);
		assertThat(this.proxies.isHeld("orders:42")).isTrue();
		assertThat(paid).isNotDone();
		this.target.work.complete("paid");
		assertThat(paid).succeedsWithin(LONG).isEqualTo("paid");
		assertThat(this.proxies.isHeld("orders:42")).isFalse();
	}

	@Test
	void lockIsReleasedWhenTheStageFails() {
		this.target.work.completeExceptionally(new IllegalStateException("broken"));
		assertThat(this.orders.pay("42")).failsWithin(LONG)
			.withThrowableOfType(ExecutionException.class)
			.withCauseExactlyInstanceOf(IllegalStateException.class);
		assertThat(this.proxies.isHeld("orders:42")).isFalse();
	}

	@Test
	void lockIsReleasedWhenTheMethodThrows() {
		assertThat(this.orders.failing().toCompletableFuture()).failsWithin(LONG)
			.withThrowableOfType(ExecutionException.class)
			.withCauseExactlyInstanceOf(IllegalArgumentException.class);
		assertThat(this.proxies.isHeld("orders")).isFalse();
	}

	@Test
	void methodThatReturnsNullInsteadOfAStageFailsUnlocked() {
		assertThat(this.orders.nothing().toCompletableFuture()).failsWithin(LONG)
			.withThrowableOfType(ExecutionException.class)
			.withMessageContaining("returned null instead of a stage");
		assertThat(this.proxies.isHeld("orders")).isFalse();
	}

	@Test
	void callerDoesNotWaitForABusyLock() {
		LockHandle other = this.proxies.hold("orders:42");
		CompletableFuture<String> paid = this.orders.pay("42");
		assertThat(paid).isNotDone();
		assertThat(this.target.bodies).isEmpty();
		this.target.work.complete("paid");
		other.close();
		assertThat(paid).succeedsWithin(LONG).isEqualTo("paid");
	}

	@Test
	void busyLockIsAFailureOfTheStage() {
		try (LockHandle other = this.proxies.hold("orders:42")) {
			assertThat(this.orders.tryToPay("42")).failsWithin(LONG)
				.withThrowableOfType(ExecutionException.class)
				.withCauseExactlyInstanceOf(LockNotAcquiredException.class);
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(this.target.bodies).isEmpty();
	}

	@Test
	void busyLockIsSkippedIfTheAnnotationSetsIt() {
		try (LockHandle other = this.proxies.hold("orders:42")) {
			assertThat(this.orders.payOrSkip("42")).succeedsWithin(LONG).isNull();
			assertThat(other.isHeld()).isTrue();
		}
	}

	@Test
	void fallbackIsCalledForABusyLock() {
		try (LockHandle other = this.proxies.hold("orders:42")) {
			assertThat(this.orders.payOrElse("42")).succeedsWithin(LONG).isEqualTo("later 42");
			assertThat(other.isHeld()).isTrue();
		}
	}

	@Test
	void busyLockInsideTheMethodDoesNotSkipIt() {
		this.target.work.completeExceptionally(new LockNotAcquiredException("inner", Duration.ZERO, null));
		assertThat(this.orders.payOrSkip("42")).failsWithin(LONG)
			.withThrowableOfType(ExecutionException.class)
			.withCauseExactlyInstanceOf(LockNotAcquiredException.class);
	}

	@Test
	void badKeyIsAFailureOfTheStage() {
		assertThat(this.orders.pay(null)).failsWithin(LONG)
			.withThrowableOfType(ExecutionException.class)
			.withCauseExactlyInstanceOf(LockKeyException.class);
	}

	@Test
	void cancelledWaitLeavesNothingBehind() {
		LockHandle other = this.proxies.hold("orders:42");
		CompletableFuture<String> paid = this.orders.pay("42");
		paid.cancel(true);
		other.close();
		await().until(() -> !this.proxies.isHeld("orders:42"));
		assertThat(this.target.bodies).isEmpty();
	}

	@Test
	void cancellationCancelsTheStageOfTheMethodAndReleasesTheLock() {
		CompletableFuture<String> paid = this.orders.pay("42");
		await().until(() -> this.target.bodies.size() == 1);
		paid.cancel(true);
		assertThat(this.target.work).isCancelled();
		await().until(() -> !this.proxies.isHeld("orders:42"));
	}

	@Test
	void severalLocksAreAllHeldUntilTheStageIsCompleted() {
		CompletableFuture<String> transferred = this.orders.transfer("b", "a");
		await().until(() -> this.target.bodies.size() == 1);
		assertThat(List.of(this.proxies.isHeld("orders:a"), this.proxies.isHeld("orders:b"))).containsOnly(true);
		this.target.work.complete("transferred");
		assertThat(transferred).succeedsWithin(LONG);
		assertThat(List.of(this.proxies.isHeld("orders:a"), this.proxies.isHeld("orders:b"))).containsOnly(false);
	}

	@Test
	void callThatNeedsNoLockProceeds() {
		this.target.work.complete("paid");
		try (LockHandle other = this.proxies.hold("orders:42")) {
			assertThat(this.orders.payUnless("42", true)).succeedsWithin(LONG).isEqualTo("paid");
			assertThat(other.isHeld()).isTrue();
		}
	}

	@Test
	void lostLockIsAFailureOnceTheStageIsCompleted() {
		CompletableFuture<String> paid = this.orders.payOrThrow("42");
		await().until(() -> this.target.bodies.size() == 1);
		this.proxies.locks().forceRelease("orders:42");
		this.target.work.complete("paid");
		assertThat(paid).failsWithin(LONG)
			.withThrowableOfType(ExecutionException.class)
			.withCauseExactlyInstanceOf(LockLostException.class);
	}

	@Test
	void lostLockCancelsTheStageOfTheMethodIfTheAnnotationSetsIt() {
		CompletableFuture<String> paid = this.orders.payUntilLost("42");
		await().until(() -> this.target.bodies.size() == 1);
		this.proxies.locks().forceRelease("orders:42");
		assertThat(paid).failsWithin(LONG)
			.withThrowableOfType(ExecutionException.class)
			.withCauseExactlyInstanceOf(LockLostException.class);
		assertThat(this.target.work).isCancelled();
	}

	@Test
	void callbacksThatBlockDoNotPreventTheCancellationOfAStage() {
		CompletableFuture<Void> unblocked = new CompletableFuture<>();
		for (int i = 0; i < 8; i++) {
			this.proxies.hold("lost:" + i).onLost(unblocked::join);
			this.proxies.locks().forceRelease("lost:" + i);
		}
		lostLockCancelsTheStageOfTheMethodIfTheAnnotationSetsIt();
		unblocked.complete(null);
	}

	@Test
	void bodyRunsInTheExecutorOfTheApplication() {
		this.target.work.complete("paid");
		try (AnnotatedProxies inApplication = new AnnotatedProxies(
				(task) -> new Thread(task, "application-1").start())) {
			assertThat(inApplication.proxy(this.target).pay("42")).succeedsWithin(LONG);
		}
		assertThat(this.target.bodies).containsExactly("application-1");
	}

	@Test
	void futureWithoutStageIsRejected() {
		assertThatExceptionOfType(InvalidLockAnnotationException.class).isThrownBy(this.orders::future)
			.withMessageContaining(
					"results of type Future do not show when the work is done: return a CompletableFuture");
	}

	@Test
	void subclassOfAStageIsRejected() {
		assertThatExceptionOfType(InvalidLockAnnotationException.class).isThrownBy(this.orders::ownStage)
			.withMessageContaining("results of type OwnStage");
	}

	static class Orders {

		final CompletableFuture<String> work = new CompletableFuture<>();

		final List<String> bodies = new CopyOnWriteArrayList<>();

		@DistributedLock(name = "orders", key = "#id", waitTime = "30s")
		public CompletableFuture<String> pay(@Nullable String id) {
			this.bodies.add(Thread.currentThread().getName());
			return this.work;
		}

		@DistributedLock(name = "orders", key = "#id", waitTime = "0")
		public CompletableFuture<String> tryToPay(String id) {
			return pay(id);
		}

		@DistributedLock(name = "orders", key = "#id", waitTime = "0", onNotAcquired = OnNotAcquired.SKIP)
		public CompletableFuture<String> payOrSkip(String id) {
			return pay(id);
		}

		@DistributedLock(name = "orders", key = "#id", waitTime = "0", fallback = "later")
		public CompletableFuture<String> payOrElse(String id) {
			return pay(id);
		}

		CompletableFuture<String> later(String id, LockNotAcquiredException reason) {
			return CompletableFuture.completedFuture("later " + id);
		}

		@DistributedLock(name = "orders", key = "#id", condition = "!#free")
		public CompletableFuture<String> payUnless(String id, boolean free) {
			return pay(id);
		}

		@DistributedLock(name = "orders", key = "#id", onLost = OnLost.THROW)
		public CompletableFuture<String> payOrThrow(String id) {
			return pay(id);
		}

		@DistributedLock(name = "orders", key = "#id", leaseTime = "1s", onLost = OnLost.INTERRUPT)
		public CompletableFuture<String> payUntilLost(String id) {
			return pay(id);
		}

		@DistributedLock(name = "orders", key = "{#from, #to}")
		public CompletableFuture<String> transfer(String from, String to) {
			return pay(from);
		}

		@DistributedLock(name = "orders")
		public CompletionStage<String> failing() {
			throw new IllegalArgumentException("broken");
		}

		@DistributedLock(name = "orders")
		@SuppressWarnings("NullAway") // the tested mistake
		public CompletionStage<String> nothing() {
			return null;
		}

		@DistributedLock
		public Future<String> future() {
			return this.work;
		}

		@DistributedLock
		public OwnStage ownStage() {
			return new OwnStage();
		}

	}

	static class OwnStage extends CompletableFuture<String> {

	}

}
