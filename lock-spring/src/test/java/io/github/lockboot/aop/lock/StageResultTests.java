package io.github.lockboot.aop.lock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.OnLost;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.fixture.BareStage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Annotated methods that return a {@link CompletionStage}.
 */
class StageResultTests extends AsynchronousResultContract<CompletableFuture<String>> {

	@Override
	Orders<CompletableFuture<String>> target() {
		return new StagedOrders();
	}

	@Override
	CompletableFuture<String> future(CompletableFuture<String> result) {
		return result;
	}

	private StagedOrders staged() {
		return (StagedOrders) this.orders;
	}

	@Test
	void methodThatReturnsNullInsteadOfAStageFailsUnlocked() {
		assertThat(staged().nothing().toCompletableFuture()).failsWithin(LONG)
			.withThrowableOfType(ExecutionException.class)
			.withMessageContaining("returned null instead of a stage");
		assertThat(this.proxies.isHeld("orders")).isFalse();
	}

	@Test
	void lockIsHeldUntilAStageThatIsNoFutureIsCompleted() {
		CompletionStage<String> paid = staged().bare();
		await().until(() -> this.bodies.size() == 1);
		assertThat(this.proxies.isHeld("orders")).isTrue();
		this.work.complete("paid");
		assertThat(paid).succeedsWithin(LONG).isEqualTo("paid");
		assertThat(this.proxies.isHeld("orders")).isFalse();
	}

	@Test
	void lostLockCancelsTheStageOfTheMethodIfTheAnnotationSetsIt() {
		CompletableFuture<String> paid = staged().payUntilLost("42");
		await().until(() -> this.bodies.size() == 1);
		this.proxies.locks().forceRelease("orders:42");
		assertFails(paid, LockLostException.class);
		assertThat(this.work).isCancelled();
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
		this.work.complete("paid");
		try (AnnotatedProxies inApplication = new AnnotatedProxies(
				(task) -> new Thread(task, "application-1").start())) {
			assertThat(inApplication.proxy(target()).pay("42")).succeedsWithin(LONG);
		}
		assertThat(this.bodies).containsExactly("application-1");
	}

	@Test
	void futureThatIsNoStageOrASubclassOfOneIsRejected() {
		assertThatExceptionOfType(InvalidLockAnnotationException.class).isThrownBy(staged()::future)
			.withMessageContaining(
					"results of type Future do not show when the work is done: return a CompletableFuture");
		assertThatExceptionOfType(InvalidLockAnnotationException.class).isThrownBy(staged()::ownStage)
			.withMessageContaining("results of type OwnStage");
	}

	class StagedOrders implements Orders<CompletableFuture<String>> {

		@Override
		public CompletableFuture<String> pay(@Nullable String id) {
			return body();
		}

		@Override
		public CompletableFuture<String> tryToPay(String id) {
			return body();
		}

		@Override
		public CompletableFuture<String> payOrSkip(String id) {
			return body();
		}

		@Override
		public CompletableFuture<String> payOrElse(String id) {
			return body();
		}

		CompletableFuture<String> later(String id, LockNotAcquiredException reason) {
			return CompletableFuture.completedFuture("later " + id);
		}

		@Override
		public CompletableFuture<String> payUnless(String id, boolean free) {
			return body();
		}

		@Override
		public CompletableFuture<String> payOrThrow(String id) {
			return body();
		}

		@Override
		public CompletableFuture<String> transfer(String from, String to) {
			return body();
		}

		@Override
		public CompletableFuture<String> failing() {
			throw new IllegalArgumentException("broken");
		}

		@DistributedLock(name = "orders", key = "#id", leaseTime = "1s", onLost = OnLost.INTERRUPT)
		public CompletableFuture<String> payUntilLost(String id) {
			return body();
		}

		@DistributedLock(name = "orders")
		@SuppressWarnings("NullAway") // the tested mistake
		public CompletionStage<String> nothing() {
			return null;
		}

		@DistributedLock(name = "orders")
		public CompletionStage<String> bare() {
			return BareStage.of(body());
		}

		@DistributedLock
		public Future<String> future() {
			return body();
		}

		@DistributedLock
		public OwnStage ownStage() {
			return new OwnStage();
		}

	}

	static class OwnStage extends CompletableFuture<String> {

	}

}
