package io.github.lockboot.aop.lock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockKeyException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.OnLost;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.OnNotAcquired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Annotated methods whose work goes on after they have returned.
 *
 * @param <R> what the methods return
 */
@Timeout(60)
abstract class AsynchronousResultContract<R> {

	static final Duration LONG = Duration.ofSeconds(30);

	@AutoClose
	final AnnotatedProxies proxies = new AnnotatedProxies();

	final CompletableFuture<String> work = new CompletableFuture<>();

	/** The names of the threads. */
	final List<String> bodies = new CopyOnWriteArrayList<>();

	final Orders<R> orders = this.proxies.proxy(target());

	abstract Orders<R> target();

	/** Begin the work, if it has not begun. */
	abstract CompletableFuture<String> future(R result);

	CompletableFuture<String> call(Function<Orders<R>, R> method) {
		return future(method.apply(this.orders));
	}

	CompletableFuture<String> body() {
		this.bodies.add(Thread.currentThread().getName());
		return this.work;
	}

	boolean isHeld() {
		return this.proxies.isHeld("orders:42");
	}

	@Test
	void lockIsHeldUntilTheWorkIsDone() {
		CompletableFuture<String> paid = call((orders) -> orders.pay("42"));
		await().until(() -> this.bodies.size() == 1);
		assertThat(isHeld()).isTrue();
		assertThat(paid).isNotDone();
		this.work.complete("paid");
		assertThat(paid).succeedsWithin(LONG).isEqualTo("paid");
		assertThat(isHeld()).isFalse();
	}

	@Test
	void lockIsReleasedWhenTheWorkFails() {
		this.work.completeExceptionally(new IllegalStateException("broken"));
		assertFails((orders) -> orders.pay("42"), IllegalStateException.class);
		assertThat(isHeld()).isFalse();
	}

	@Test
	void lockIsReleasedWhenTheMethodThrows() {
		assertFails(Orders::failing, IllegalArgumentException.class);
		assertThat(this.proxies.isHeld("orders")).isFalse();
	}

	@Test
	void callerDoesNotWaitForABusyLock() {
		LockHandle other = this.proxies.hold("orders:42");
		CompletableFuture<String> paid = call((orders) -> orders.pay("42"));
		assertThat(paid).isNotDone();
		assertThat(this.bodies).isEmpty();
		this.work.complete("paid");
		other.close();
		assertThat(paid).succeedsWithin(LONG).isEqualTo("paid");
	}

	@Test
	void busyLockIsAFailureOrIsSkippedOrCallsTheFallback() {
		try (LockHandle other = this.proxies.hold("orders:42")) {
			assertFails((orders) -> orders.tryToPay("42"), LockNotAcquiredException.class);
			assertThat(call((orders) -> orders.payOrSkip("42"))).succeedsWithin(LONG).isNull();
			assertThat(call((orders) -> orders.payOrElse("42"))).succeedsWithin(LONG).isEqualTo("later 42");
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(this.bodies).isEmpty();
	}

	@Test
	void busyLockInsideTheMethodDoesNotSkipIt() {
		this.work.completeExceptionally(new LockNotAcquiredException("inner", Duration.ZERO, null));
		assertFails((orders) -> orders.payOrSkip("42"), LockNotAcquiredException.class);
	}

	@Test
	void badKeyIsAFailureOfTheResult() {
		assertFails((orders) -> orders.pay(null), LockKeyException.class);
	}

	@Test
	void cancellationCancelsTheWorkOfTheMethodAndReleasesTheLock() {
		CompletableFuture<String> paid = call((orders) -> orders.pay("42"));
		await().until(() -> this.bodies.size() == 1);
		paid.cancel(true);
		assertThat(this.work).isCancelled();
		await().until(() -> !isHeld());
	}

	@Test
	void severalLocksAreAllHeldUntilTheWorkIsDone() {
		CompletableFuture<String> transferred = call((orders) -> orders.transfer("b", "a"));
		await().until(() -> this.bodies.size() == 1);
		assertThat(List.of("orders:a", "orders:b")).allMatch(this.proxies::isHeld);
		this.work.complete("transferred");
		assertThat(transferred).succeedsWithin(LONG);
		assertThat(List.of("orders:a", "orders:b")).noneMatch(this.proxies::isHeld);
	}

	@Test
	void callThatNeedsNoLockProceeds() {
		this.work.complete("paid");
		try (LockHandle other = this.proxies.hold("orders:42")) {
			assertThat(call((orders) -> orders.payUnless("42", true))).succeedsWithin(LONG).isEqualTo("paid");
			assertThat(other.isHeld()).isTrue();
		}
	}

	@Test
	void lostLockIsAFailureOnceTheWorkIsDone() {
		CompletableFuture<String> paid = call((orders) -> orders.payOrThrow("42"));
		await().until(() -> this.bodies.size() == 1);
		this.proxies.locks().forceRelease("orders:42");
		this.work.complete("paid");
		assertFails(paid, LockLostException.class);
	}

	private void assertFails(Function<Orders<R>, R> method, Class<? extends Throwable> failure) {
		assertFails(call(method), failure);
	}

	static void assertFails(CompletableFuture<String> result, Class<? extends Throwable> failure) {
		assertThat(result).failsWithin(LONG)
			.withThrowableOfType(ExecutionException.class)
			.withCauseExactlyInstanceOf(failure);
	}

	/**
	 * The methods.
	 *
	 * @param <R> what they return
	 */
	interface Orders<R> {

		@DistributedLock(name = "orders", key = "#id", waitTime = "30s")
		R pay(@Nullable String id);

		@DistributedLock(name = "orders", key = "#id", waitTime = "0")
		R tryToPay(String id);

		@DistributedLock(name = "orders", key = "#id", waitTime = "0", onNotAcquired = OnNotAcquired.SKIP)
		R payOrSkip(String id);

		@DistributedLock(name = "orders", key = "#id", waitTime = "0", fallback = "later")
		R payOrElse(String id);

		@DistributedLock(name = "orders", key = "#id", condition = "!#free")
		R payUnless(String id, boolean free);

		@DistributedLock(name = "orders", key = "#id", onLost = OnLost.THROW)
		R payOrThrow(String id);

		@DistributedLock(name = "orders", key = "{#from, #to}")
		R transfer(String from, String to);

		@DistributedLock(name = "orders")
		R failing();

	}

}
