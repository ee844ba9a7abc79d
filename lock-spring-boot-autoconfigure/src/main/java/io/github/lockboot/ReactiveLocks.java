package io.github.lockboot;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * {@link ReactiveLockOperations} upon the asynchronous form of {@link LockOperations}.
 */
final class ReactiveLocks implements ReactiveLockOperations {

	private final LockOperations operations;

	private final OnLost onLost;

	ReactiveLocks(LockOperations operations, OnLost onLost) {
		this.operations = operations;
		this.onLost = onLost;
	}

	@Override
	public <T> Mono<T> execute(LockRequest request, Mono<T> section) {
		return run(request, this.operations::acquireAsync, section).singleOrEmpty();
	}

	@Override
	public <T> Flux<T> execute(LockRequest request, Flux<T> section) {
		return run(request, this.operations::acquireAsync, section);
	}

	@Override
	public Mono<Boolean> tryExecute(LockRequest request, Publisher<?> section) {
		return run(request, this.operations::tryAcquireAsync, Flux.from(section).then(Mono.just(true))).singleOrEmpty()
			.defaultIfEmpty(false);
	}

	@Override
	public Mono<LockHandle> acquire(LockRequest request) {
		return take(() -> this.operations.acquireAsync(request));
	}

	@Override
	public Mono<LockHandle> tryAcquire(LockRequest request) {
		return take(() -> this.operations.tryAcquireAsync(request));
	}

	private static Mono<LockHandle> take(
			Supplier<? extends CompletionStage<? extends @Nullable LockHandle>> acquiring) {
		return Mono.<LockHandle>fromCompletionStage(acquiring)
			.publishOn(Schedulers.parallel())
			.doOnDiscard(LockHandle.class, LockHandle::closeAsync);
	}

	/** Completes empty if the lock could not be acquired and that is no error. */
	private <T> Flux<T> run(LockRequest request,
			Function<LockRequest, CompletionStage<? extends @Nullable LockHandle>> acquire, Publisher<T> section) {
		OnLost reaction = (request.onLost() != null) ? request.onLost() : this.onLost;
		return Flux.deferContextual((context) -> {
			for (String name : request.names()) {
				ReactiveHold outer = held(context, name);
				if (outer != null && outer.enter()) {
					List<String> others = request.names()
						.stream()
						.filter((other) -> held(context, other) != outer)
						.toList();
					Flux<T> inner = others.isEmpty() ? Flux.from(section)
							: run(request.names(others), acquire, section);
					return new ReactiveSection<>(outer, reaction, inner).run();
				}
			}
			ReactiveHold hold = new ReactiveHold(acquire.apply(request));
			Flux<T> locked = Flux.from(section).contextWrite((inner) -> with(hold, request.names(), inner));
			return new ReactiveSection<>(hold, reaction, locked).run();
		});
	}

	private @Nullable ReactiveHold held(ContextView context, String name) {
		return context.getOrDefault(new HoldKey(this.operations, name), null);
	}

	private Context with(ReactiveHold hold, List<String> names, Context context) {
		Context locked = context;
		for (String name : names) {
			locked = locked.put(new HoldKey(this.operations, name), hold);
		}
		return locked;
	}

	/**
	 * Where a pipeline finds what it holds already.
	 *
	 * @param operations who took the lock
	 * @param name name of the lock
	 */
	private record HoldKey(LockOperations operations, String name) {

	}

}
