package io.github.lockboot.aop.lock;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Annotated methods that return a publisher.
 */
class ReactiveResultTests extends AsynchronousResultContract<Mono<String>> {

	@Override
	Orders<Mono<String>> target() {
		return new ReactiveOrders();
	}

	@Override
	CompletableFuture<String> future(Mono<String> result) {
		return result.toFuture();
	}

	private ReactiveOrders reactive() {
		return (ReactiveOrders) this.orders;
	}

	@Test
	void eachSubscriptionIsACallWithTheAdviceInsideTheLock() {
		this.work.complete("paid");
		Recorder recorder = new Recorder();
		Mono<Boolean> paid = this.proxies.proxy(target(), recorder).pay("42").map((value) -> isHeld());
		assertThat(this.bodies).isEmpty();
		assertThat(paid.block(LONG)).isFalse();
		paid.block(LONG);
		assertThat(recorder.calls).containsExactly("42 true", "42 true");
		assertThat(this.bodies).hasSize(2);
	}

	@Test
	void lockIsHeldForAllValuesOfAFluxOrOfAnyPublisher() {
		for (Publisher<Integer> values : List.of(reactive().pays("42"), reactive().publisher("42"))) {
			assertThat(Flux.from(values).map((value) -> isHeld()).collectList().block(LONG)).containsExactly(true, true,
					true);
			assertThat(isHeld()).isFalse();
		}
	}

	@Test
	void methodThatCallsAnotherOneWithTheSameLockReentersIt() {
		this.work.complete("paid");
		assertThat(reactive().payBy("42", Mono.defer(() -> this.orders.tryToPay("42"))).block(LONG)).isEqualTo("paid");
	}

	class ReactiveOrders implements Orders<Mono<String>> {

		@Override
		public Mono<String> pay(@Nullable String id) {
			return Mono.fromFuture(body());
		}

		@Override
		public Mono<String> tryToPay(String id) {
			return pay(id);
		}

		@Override
		public Mono<String> payOrSkip(String id) {
			return pay(id);
		}

		@Override
		public Mono<String> payOrElse(String id) {
			return pay(id);
		}

		Mono<String> later(String id) {
			return Mono.just("later " + id);
		}

		@Override
		public Mono<String> payUnless(String id, boolean free) {
			return pay(id);
		}

		@Override
		public Mono<String> payOrThrow(String id) {
			return pay(id);
		}

		@Override
		public Mono<String> transfer(String from, String to) {
			return pay(from);
		}

		@Override
		public Mono<String> failing() {
			throw new IllegalArgumentException("broken");
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

	}

	@Aspect
	class Recorder {

		final List<String> calls = new CopyOnWriteArrayList<>();

		@Before("execution(* pay(..)) && args(id)")
		void record(String id) {
			this.calls.add(id + " " + isHeld());
		}

	}

}
