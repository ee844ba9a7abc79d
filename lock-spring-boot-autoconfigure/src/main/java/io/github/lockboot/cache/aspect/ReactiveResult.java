package io.github.lockboot.cache.aspect;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

import io.github.lockboot.advice.RepeatableCall;
import io.github.lockboot.cache.CacheEviction;

/**
 * A publisher, or what Spring turns into one. Each subscription is a call of its own.
 * What it emits is kept, several elements as one list. Loaded only where Reactor is
 * present.
 */
final class ReactiveResult implements ResultKind {

	private static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.reactive.TransactionContextManager",
			ReactiveResult.class.getClassLoader());

	private final boolean several;

	private final boolean suspending;

	private final Function<@Nullable Object, Publisher<Object>> toPublisher;

	private final Function<Publisher<Object>, Object> fromPublisher;

	private ReactiveResult(boolean several, boolean suspending,
			Function<@Nullable Object, Publisher<Object>> toPublisher,
			Function<Publisher<Object>, Object> fromPublisher) {
		this.several = several;
		this.suspending = suspending;
		this.toPublisher = toPublisher;
		this.fromPublisher = fromPublisher;
	}

	static ReactiveResult of(ReactiveAdapter adapter) {
		return new ReactiveResult(adapter.isMultiValue(), false, adapter::toPublisher, adapter::fromPublisher);
	}

	/** A proxy makes a publisher of a suspend function before its advice sees it. */
	static ReactiveResult suspending(boolean several) {
		return new ReactiveResult(several, true, ReactiveResult::publisher, (publisher) -> publisher);
	}

	@SuppressWarnings("unchecked")
	private static Publisher<Object> publisher(@Nullable Object result) {
		return (result instanceof Publisher<?> publisher) ? (Publisher<Object>) publisher : Mono.justOrEmpty(result);
	}

	@Override
	public Type valueType(Type declared) {
		if (this.suspending && !this.several) {
			return declared;
		}
		Type element = ResultKind.argumentOf(declared);
		return this.several ? ResolvableType.forClassWithGenerics(List.class, ResolvableType.forType(element)).getType()
				: element;
	}

	@Override
	public Object run(CachedCall call) {
		Flux<Object> cached = Flux.deferContextual((context) -> run(call, context));
		if (call.evictsBefore()) {
			// which waits for Redis
			cached = cached.subscribeOn(Schedulers.boundedElastic());
		}
		return this.fromPublisher.apply(this.several ? cached : cached.singleOrEmpty());
	}

	private Flux<Object> run(CachedCall call, ContextView context) {
		CachedCall.Body body = (repeated) -> value(begin(repeated).contextWrite(context));
		if (!TRANSACTIONS) {
			return elements(Mono.fromFuture(call.begin(body), true));
		}
		return ReactiveTransactions.isActive()
			.flatMapMany(
					(active) -> elements(active ? inTransaction(call, body) : Mono.fromFuture(call.begin(body), true)));
	}

	/** It is to see its own changes, and nobody else before the commit. */
	private static Mono<Object> inTransaction(CachedCall call, CachedCall.Body body) {
		List<CacheEviction> early = call.evictBefore();
		return ReactiveTransactions.afterCommit(() -> call.evictAgain(early))
			.then(Mono.<Object>defer(() -> Mono.fromFuture(call.beginPastTheCache(body), true)))
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((result) -> ReactiveTransactions.afterCommit(() -> call.write(result.orElse(null), List.of()))
				.then(Mono.justOrEmpty(result)));
	}

	private CompletableFuture<@Nullable Object> value(Flux<Object> loading) {
		return this.several ? loading.collectList().<Object>map((list) -> list).toFuture()
				: loading.singleOrEmpty().toFuture();
	}

	private Flux<Object> elements(Mono<Object> value) {
		return this.several ? value.flatMapIterable((list) -> (List<?>) list) : value.flux();
	}

	private Flux<Object> begin(RepeatableCall call) {
		try {
			return Flux.from(this.toPublisher.apply(call.proceed()));
		}
		catch (Throwable ex) {
			return Flux.error(ex);
		}
	}

}
