package io.github.lockboot.aop.lock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockKeyException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.OnLost;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.OnNotAcquired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Annotated methods that return a publisher.
 */
@Timeout(60)
class ReactiveResultTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final AnnotatedProxies proxies = new AnnotatedProxies();

	private final Orders target = new Orders();

	private final Orders orders = this.proxies.proxy(this.target);

	@AfterEach
	void close() {
		this.proxies.close();
	}

	@Test
	void methodRunsOnSubscriptionUnderItsLock() {
		Mono<Boolean> paid = this.orders.pay("42").map((id) -> isHeld());
		assertThat(this.target.bodies).isEmpty();
		assertThat(paid.block(LONG)).isFalse();
		assertThat(this.target.bodies).containsExactly("42 true");
	}

	@Test
	void eachSubscriptionIsACall() {
		Mono<String> paid = this.orders.pay("42");
		paid.block(LONG);
		paid.block(LONG);
		assertThat(this.target.bodies).containsExactly("42 true", "42 true");
	}

	@Test
	void eachSubscriptionRunsTheAdviceInsideTheLock() {
		Recorder recorder = new Recorder();
		Mono<String> paid = this.proxies.proxy(this.target, recorder).pay("42");
		paid.block(LONG);
		paid.block(LONG);
		assertThat(recorder.calls).containsExactly("42", "42");
	}

	@Test
	void lockIsHeldUntilTheMonoCompletes() {
		Sinks.One<String> work = Sinks.one();
		Mono<String> paid = this.orders.payBy("42", work.asMono()).cache();
		paid.subscribe();
		await().until(this::isHeld);
		work.tryEmitValue("paid");
		assertThat(paid.block(LONG)).isEqualTo("paid");
		assertThat(isHeld()).isFalse();
	}

	@Test
	void lockIsHeldForAllValuesOfAFlux() {
		assertThat(this.orders.pays("42").map((value) -> isHeld()).collectList().block(LONG)).containsExactly(true,
				true, true);
		assertThat(isHeld()).isFalse();
	}

	@Test
	void anyPublisherIsLocked() {
		assertThat(Flux.from(this.orders.publisher("42")).map((value) -> isHeld()).collectList().block(LONG))
			.containsExactly(true, true, true);
	}

	@Test
	void exceptionOfTheMethodIsAnErrorOfThePublisher() {
		Mono<String> failing = this.orders.failing();
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> failing.block(LONG));
		assertThat(this.proxies.isHeld("orders")).isFalse();
	}

	@Test
	void badKeyIsAnErrorOfThePublisher() {
		Mono<String> paid = this.orders.pay(null);
		assertThatExceptionOfType(LockKeyException.class).isThrownBy(() -> paid.block(LONG));
	}

	@Test
	void busyLockIsAnErrorOfThePublisher() {
		try (LockHandle other = this.proxies.hold("orders:42")) {
			Mono<String> paid = this.orders.tryToPay("42");
			assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> paid.block(LONG));
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(this.target.bodies).isEmpty();
	}

	@Test
	void busyLockIsSkippedIfTheAnnotationSetsIt() {
		try (LockHandle other = this.proxies.hold("orders:42")) {
			assertThat(this.orders.payOrSkip("42", Mono.just("paid")).hasElement().block(LONG)).isFalse();
			assertThat(other.isHeld()).isTrue();
		}
	}

	@Test
	void busyLockInsideTheMethodDoesNotSkipIt() {
		Mono<String> busy = Mono.error(new LockNotAcquiredException("inner", Duration.ZERO, null));
		Mono<String> paid = this.orders.payOrSkip("42", busy);
		assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> paid.block(LONG));
	}

	@Test
	void fallbackIsCalledForABusyLock() {
		try (LockHandle other = this.proxies.hold("orders:42")) {
			assertThat(this.orders.payOrElse("42").block(LONG)).isEqualTo("later 42");
			assertThat(other.isHeld()).isTrue();
		}
	}

	@Test
	void callThatNeedsNoLockProceeds() {
		assertThat(this.orders.payUnless("42", true).block(LONG)).isEqualTo("42");
		assertThat(this.target.bodies).containsExactly("42 false");
	}

	@Test
	void severalLocksAreHeldTogether() {
		Mono<Boolean> both = this.orders.transfer("b", "a",
				Mono.fromCallable(() -> this.proxies.isHeld("orders:a") && this.proxies.isHeld("orders:b")));
		assertThat(both.block(LONG)).isTrue();
	}

	@Test
	void methodThatCallsAnotherOneWithTheSameLockReentersIt() {
		Mono<String> paid = this.orders.payBy("42", Mono.defer(() -> this.orders.tryToPay("42")));
		assertThat(paid.block(LONG)).isEqualTo("42");
	}

	@Test
	void lostLockIsAnErrorIfTheAnnotationSetsIt() {
		Mono<String> paid = this.orders.payOrThrow("42",
				Mono.fromCallable(() -> this.proxies.locks().forceRelease("orders:42")).thenReturn("paid"));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> paid.block(LONG));
	}

	private boolean isHeld() {
		return this.proxies.isHeld("orders:42");
	}

	class Orders {

		final List<String> bodies = new CopyOnWriteArrayList<>();

		@DistributedLock(name = "orders", key = "#id")
		public Mono<String> pay(@Nullable String id) {
			this.bodies.add(id + " " + isHeld());
			return Mono.justOrEmpty(id);
		}

		@DistributedLock(name = "orders", key = "#id")
		public Mono<String> payBy(String id, Mono<String> work) {
			return work;
		}

		@DistributedLock(name = "orders", key = "#id")
		public Flux<Integer> pays(String id) {
			return Flux.range(1, 3);
		}

		@DistributedLock(name = "orders", key = "#id")
		public Publisher<Integer> publisher(String id) {
			return Flux.range(1, 3);
		}

		@DistributedLock(name = "orders")
		public Mono<String> failing() {
			throw new IllegalArgumentException("broken");
		}

		@DistributedLock(name = "orders", key = "#id", waitTime = "0")
		public Mono<String> tryToPay(String id) {
			return pay(id);
		}

		@DistributedLock(name = "orders", key = "#id", waitTime = "0", onNotAcquired = OnNotAcquired.SKIP)
		public Mono<String> payOrSkip(String id, Mono<String> work) {
			return work;
		}

		@DistributedLock(name = "orders", key = "#id", waitTime = "0", fallback = "later")
		public Mono<String> payOrElse(String id) {
			return pay(id);
		}

		Mono<String> later(String id) {
			return Mono.just("later " + id);
		}

		@DistributedLock(name = "orders", key = "#id", condition = "!#free")
		public Mono<String> payUnless(String id, boolean free) {
			return pay(id);
		}

		@DistributedLock(name = "orders", key = "{#from, #to}")
		public Mono<Boolean> transfer(String from, String to, Mono<Boolean> work) {
			return work;
		}

		@DistributedLock(name = "orders", key = "#id", onLost = OnLost.THROW)
		public Mono<String> payOrThrow(String id, Mono<String> work) {
			return work;
		}

	}

	@Aspect
	static class Recorder {

		final List<String> calls = new CopyOnWriteArrayList<>();

		@Before("execution(* pay(..)) && args(id)")
		void record(String id) {
			this.calls.add(id);
		}

	}

}
