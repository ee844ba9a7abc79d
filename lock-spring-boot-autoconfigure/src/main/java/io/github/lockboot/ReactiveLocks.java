package io.github.lockboot;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
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
		HoldKey key = new HoldKey(this.operations, request.name());
		return Flux.deferContextual((context) -> {
			ReactiveHold hold = hold(context, key, () -> acquire.apply(request));
			Flux<T> locked = Flux.from(section).contextWrite((inner) -> inner.put(key, hold));
			return new ReactiveSection<>(hold, reaction, locked).run();
		});
	}

	private static ReactiveHold hold(ContextView context, HoldKey key,
			Supplier<CompletionStage<? extends @Nullable LockHandle>> acquire) {
		ReactiveHold outer = context.getOrDefault(key, null);
		return (outer != null && outer.enter()) ? outer : new ReactiveHold(acquire.get());
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
