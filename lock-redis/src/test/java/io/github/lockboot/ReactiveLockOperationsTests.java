package io.github.lockboot;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Locks of reactive pipelines, on a real Redis.
 */
@RedisTest
@Timeout(60)
class ReactiveLockOperationsTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final LockRequest REQUEST = LockRequest.of("orders:42").waitTime(LONG);

	/** The tests look at the lock right after a section. */
	private static final LockRequest ONCE = REQUEST.waitTime(Duration.ZERO).release(LockRelease.CONFIRMED);

	private static final LockRequest SEVERAL = REQUEST.names(List.of("orders:43", "orders:42"));

	private final List<String> events = new CopyOnWriteArrayList<>();

	private final RedisLockTemplate blocking;

	private final RedisLockTemplate otherJvm;

	private final ReactiveLockOperations locks;

	ReactiveLockOperationsTests(RedisServer redis) {
		this.blocking = new RedisLockTemplate(Applications.of(redis), RedisLockSettings.defaults(), List.of());
		this.otherJvm = new RedisLockTemplate(Applications.of(redis), RedisLockSettings.defaults(), List.of());
		this.locks = ReactiveLockOperations.of(this.blocking, OnLost.LOG);
	}

	@AfterEach
	void close() {
		this.blocking.close();
		this.otherJvm.close();
	}

	@Test
	void nothingIsLockedBeforeASubscription() {
		this.locks.execute(REQUEST, Mono.just("paid"));
		awaitFree();
	}

	@Test
	void sectionRunsUnderItsLock() {
		assertThat(this.locks.execute(ONCE, Mono.fromCallable(this::isHeld)).block(LONG)).isTrue();
	}

	@Test
	void lockIsReleasedBeforeTheEndOfTheSectionIsSignalled() {
		Mono<Boolean> heldAfterwards = this.locks.execute(ONCE, Mono.just("paid")).map((paid) -> isHeld());
		assertThat(heldAfterwards.block(LONG)).isFalse();
	}

	@Test
	void emptySectionCompletesEmptyAndUnlocked() {
		assertThat(this.locks.execute(ONCE, Mono.empty()).hasElement().block(LONG)).isFalse();
		awaitFree();
	}

	@Test
	void errorOfTheSectionIsSignalledAfterTheRelease() {
		Mono<Object> failing = this.locks.execute(ONCE, Mono.error(new IllegalStateException("broken")));
		assertThatIllegalStateException().isThrownBy(() -> failing.block(LONG)).withMessage("broken");
		awaitFree();
	}

	@Test
	void eachSubscriptionAcquiresTheLock() {
		Mono<Long> token = this.locks.acquire(ONCE)
			.flatMap((lock) -> Mono.fromCompletionStage(lock.closeAsync()).thenReturn(lock.fencingToken()));
		assertThat(token.block(LONG)).isLessThan(token.block(LONG));
	}

	@Test
	void pipelinesExcludeEachOther() {
		AtomicInteger inside = new AtomicInteger();
		Mono<Integer> section = Mono.fromCallable(inside::incrementAndGet)
			.delayElement(Duration.ofMillis(1))
			.doOnNext((count) -> inside.decrementAndGet());
		List<Integer> counts = Flux.range(0, 50)
			.flatMap((each) -> this.locks.execute(REQUEST, section), 50)
			.collectList()
			.block(LONG);
		assertThat(counts).hasSize(50).containsOnly(1);
	}

	@Test
	void allValuesOfAFluxAreEmittedUnderTheLock() {
		Flux<Boolean> held = this.locks.execute(ONCE,
				Flux.interval(Duration.ofMillis(5)).take(5).map((tick) -> isHeld()));
		assertThat(held.collectList().block(LONG)).containsExactly(true, true, true, true, true);
		awaitFree();
	}

	@Test
	void busyLockIsAnErrorAndTheSectionIsNotSubscribedTo() {
		try (LockHandle other = this.otherJvm.acquire(REQUEST)) {
			Mono<Void> section = this.locks.execute(ONCE, Mono.fromRunnable(() -> this.events.add("ran")));
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> section.block(LONG));
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(this.events).isEmpty();
	}

	@Test
	void tryExecuteReturnsWhetherTheSectionRan() {
		Mono<Boolean> tried = this.locks.tryExecute(ONCE, Flux.range(1, 3));
		assertThat(tried.block(LONG)).isTrue();
		try (LockHandle other = this.otherJvm.acquire(REQUEST)) {
			assertThat(tried.block(LONG)).isFalse();
			assertThat(other.isHeld()).isTrue();
		}
	}

	@Test
	void tryExecuteSignalsThatALockOfTheSectionIsBusy() {
		LockRequest inner = LockRequest.of("inner").waitTime(Duration.ZERO);
		try (LockHandle other = this.otherJvm.acquire(inner)) {
			Mono<Boolean> tried = this.locks.tryExecute(ONCE, this.locks.execute(inner, Mono.just("inner")));
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> tried.block(LONG))
				.satisfies((ex) -> assertThat(ex.lockName()).isEqualTo(other.name()));
		}
	}

	@Test
	void tryAcquireOfABusyLockIsEmpty() {
		try (LockHandle other = this.otherJvm.acquire(REQUEST)) {
			assertThat(this.locks.tryAcquire(ONCE).hasElement().block(LONG)).isFalse();
			assertThat(other.isHeld()).isTrue();
		}
	}

	@Test
	void nestedSectionReentersTheLockAtOnce() {
		Mono<String> inner = this.locks.execute(ONCE, Mono.just("inner"));
		assertThat(this.locks.execute(ONCE, inner.subscribeOn(Schedulers.boundedElastic())).block(LONG))
			.isEqualTo("inner");
	}

	@Test
	void sectionForSeveralLocksHoldsEachOfThem() {
		Mono<Boolean> inner = this.locks.execute(ONCE, Mono.fromSupplier(this::isHeld));
		assertThat(this.locks.execute(SEVERAL, inner).block(LONG)).isTrue();
		awaitFree();
	}

	@Test
	void innerSectionForSeveralLocksAcquiresOnlyThoseThatItsPipelineDoesNotHold() {
		Mono<Boolean> inner = this.locks.execute(SEVERAL.waitTime(Duration.ZERO), Mono.fromSupplier(this::isHeld));
		Mono<Boolean> outer = this.locks.execute(REQUEST, inner.map((held) -> held && isHeld()));
		assertThat(outer.block(LONG)).isTrue();
		awaitFree();
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, Integer.MAX_VALUE })
	void sectionThatSharesALockCannotAcquireItExclusively(int permits) {
		for (LockRequest exclusive : List.of(ONCE, SEVERAL)) {
			Mono<String> inner = this.locks.execute(exclusive, Mono.just("not exclusive"));
			assertThatIllegalStateException()
				.isThrownBy(() -> this.locks.execute(ONCE.permits(permits), inner).block(LONG))
				.withMessageContainingAll("orders:42", "can't be upgraded");
			awaitFree();
		}
	}

	@Test
	void lockIsKeptAfterAnInnerSection() {
		Mono<Boolean> section = this.locks.execute(ONCE, Mono.just("inner")).map((inner) -> isHeld());
		assertThat(this.locks.execute(ONCE, section).block(LONG)).isTrue();
	}

	@Test
	void lockIsHeldUntilTheLastSectionOfItsPipelineHasEnded() {
		Sinks.Empty<Void> end = Sinks.empty();
		Mono<Disposable> detached = Mono.deferContextual(
				(context) -> Mono.just(this.locks.execute(ONCE, end.asMono()).contextWrite(context).subscribe()));
		this.locks.execute(ONCE, detached).block(LONG);
		assertThat(isHeld()).isTrue();
		end.tryEmitEmpty();
		await().until(() -> !isHeld());
	}

	@Test
	void pipelineGetsTheHoldOfItsSection() {
		Mono<Long> token = this.locks.execute(ONCE, this.locks.held("orders:42").map(LockHandle::fencingToken));
		assertThat(token.block(LONG)).isLessThan(token.block(LONG));
	}

	@Test
	void pipelineWithoutTheLockGetsNoHold() {
		Mono<Boolean> inner = this.locks.held("orders:43").map(LockHandle::isHeld);
		assertThatIllegalStateException().isThrownBy(() -> this.locks.execute(ONCE, inner).block(LONG))
			.withMessage("Lock 'orders:43' is not held by this pipeline");
	}

	@Test
	void siblingSectionsDoNotShareALock() {
		try (LockHandle other = this.blocking.acquire(ONCE)) {
			assertThatExceptionOfType(LockNotAcquiredException.class)
				.isThrownBy(() -> this.locks.execute(ONCE, Mono.just("same thread")).block(LONG));
			assertThat(other.isHeld()).isTrue();
		}
	}

	@Test
	void lostLockIsAnErrorWhenTheSectionHasEnded() {
		Mono<String> section = this.locks.execute(ONCE.onLost(OnLost.THROW),
				Mono.fromCallable(() -> this.otherJvm.forceRelease("orders:42"))
					.thenReturn("paid")
					.doOnNext((paid) -> this.events.add(paid)));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> section.block(LONG));
		assertThat(this.events).containsExactly("paid");
	}

	@Test
	void errorOfTheSectionCarriesTheLossAsSuppressed() {
		Mono<Object> section = this.locks.execute(ONCE.onLost(OnLost.THROW),
				Mono.fromCallable(() -> this.otherJvm.forceRelease("orders:42"))
					.then(Mono.error(new IllegalStateException("broken"))));
		assertThatIllegalStateException().isThrownBy(() -> section.block(LONG))
			.withMessage("broken")
			.satisfies((ex) -> assertThat(ex.getSuppressed()).hasAtLeastOneElementOfType(LockLostException.class));
	}

	@Test
	void sectionIsCancelledOnALossIfTheRequestSetsIt() {
		Mono<Object> endless = Mono.fromCallable(() -> this.otherJvm.forceRelease("orders:42"))
			.then(Mono.never())
			.doOnCancel(() -> this.events.add("cancelled"));
		Mono<Object> section = this.locks.execute(ONCE.onLost(OnLost.INTERRUPT), endless);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> section.block(LONG));
		assertThat(this.events).containsExactly("cancelled");
	}

	@Test
	void callbacksThatBlockDoNotPreventTheCancellationOfASection() {
		CompletableFuture<Void> unblocked = new CompletableFuture<>();
		for (int i = 0; i < 8; i++) {
			this.blocking.acquire("lost:" + i).onLost(unblocked::join);
			this.otherJvm.forceRelease("lost:" + i);
		}
		sectionIsCancelledOnALossIfTheRequestSetsIt();
		unblocked.complete(null);
	}

	@Test
	void lostLockIsNoErrorByDefault() {
		Mono<String> section = this.locks.execute(ONCE,
				Mono.fromCallable(() -> this.otherJvm.forceRelease("orders:42")).thenReturn("paid"));
		assertThat(section.block(LONG)).isEqualTo("paid");
	}

	@Test
	void manyPipelinesWaitWithoutAThreadEach() {
		int waiters = 500;
		AtomicInteger done = new AtomicInteger();
		LockHandle other = this.otherJvm.acquire(REQUEST);
		Flux.range(0, waiters)
			.flatMap((each) -> this.locks.execute(REQUEST, Mono.fromCallable(done::incrementAndGet)), waiters)
			.subscribe();
		await().until(() -> this.otherJvm.inspect(other.name()).waiting() == 1);
		assertThat(Thread.activeCount()).isLessThan(waiters);
		other.close();
		await().atMost(LONG).until(() -> done.get() == waiters);
	}

	/** A release is sent when the section has ended. */
	private void awaitFree() {
		Awaitility.await().until(() -> !isHeld());
	}

	private boolean isHeld() {
		return this.otherJvm.inspect("orders:42").isHeld();
	}

}
