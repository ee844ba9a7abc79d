package io.github.lockboot.aop.lock;

import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.Resource;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageImpl;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;
import org.springframework.http.HttpEntity;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ClassUtils;
import org.springframework.util.MultiValueMap;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.util.UriComponents;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.util.function.Tuple2;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.aop.ResultKind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Methods whose work would run after they have returned.
 */
class ReturnedWorkTests {

	private final AnnotatedProxies proxies = new AnnotatedProxies();

	private final Untyped untyped = this.proxies.proxy(new Untyped());

	@AfterEach
	void close() {
		this.proxies.close();
	}

	static Stream<String> allowed() {
		return Arrays.stream(Allowed.class.getDeclaredMethods()).map((method) -> method.getName());
	}

	@ParameterizedTest
	@MethodSource("allowed")
	void methodWhoseWorkIsDoneIsAllowed(String name) {
		assertThat(ResultKind.of(ClassUtils.getMethod(Allowed.class, name, new Class<?>[0]), "it ")).isNotNull();
	}

	static Stream<Object> work() {
		Runnable task = () -> {
		};
		Supplier<String> lazy = () -> "";
		return Stream.of(task, lazy, List.of(1).iterator(), new CompletableFuture<>(), Mono.empty(),
				new DeferredResult<>(), List.of(task), Optional.of(lazy));
	}

	@ParameterizedTest
	@MethodSource("work")
	void callFailsIfItsObjectHandsWorkOut(Object work) {
		assertThatIllegalStateException().isThrownBy(() -> this.untyped.echo(work))
			.withMessageContaining("Untyped.echo(Object) returns before its work is done");
	}

	@Test
	void valueThatIsDeclaredAsAnObjectIsReturned() {
		assertThat(this.untyped.echo(List.of("value"))).isEqualTo(List.of("value"));
	}

	interface Job extends Runnable {

	}

	interface Allowed {

		void nothing();

		int number();

		String text();

		Object object();

		List<String> list();

		Collection<?> unknown();

		String[] array();

		Optional<Map<String, Long>> nested();

		Page<String> page();

		ResponseEntity<String> response();

		CompletableFuture<List<String>> future();

		Mono<String> mono();

		Iterable<String> iterable();

		Untyped own();

		Job claimed();

		List<Job> jobs();

		<T extends Comparable<T>> T greatest();

		<E extends Enum<E>> Map<E, ? extends List<E>> recursive();

		Slice<String> slice();

		PageImpl<String> pageOfClass();

		Window<String> window();

		Sort sort();

		Pageable pageable();

		ResponseEntity<Resource> resource();

		ModelAndView view();

		ProblemDetail problem();

		HttpEntity<MultiValueMap<String, String>> entity();

		MediaType type();

		ResponseCookie cookie();

		UriComponents uri();

		HttpResponse<String> answer();

		InetSocketAddress address();

		IntSummaryStatistics statistics();

		LocalDateTime time();

		AtomicInteger counter();

		Mono<Tuple2<String, Long>> pair();

		Flux<Signal<String>> signals();

	}

	static class Untyped {

		@DistributedLock
		public Object echo(Object value) {
			return value;
		}

	}

}
