package io.github.lockboot;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * {@link ReactiveLockOperations} that use the asynchronous methods of
 * {@link LockOperations}.
 */
record ReactiveLocks(LockOperations operations, OnLost onLost) implements ReactiveLockOperations {

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
		return acquire(request, this.operations::acquireAsync);
	}

	@Override
	public Mono<LockHandle> tryAcquire(LockRequest request) {
		return acquire(request, this.operations::tryAcquireAsync);
	}

	@Override
	public Mono<LockHandle> held(String name) {
		return Mono.deferContextual((context) -> {
			Hold hold = held(context, name);
			LockHandle handle = (hold != null && hold.sections.get() > 0) ? hold.handle() : null;
			return (handle != null) ? Mono.just(handle)
					: Mono.error(new IllegalStateException("Lock '" + name + "' is not held by this pipeline"));
		});
	}

	/**
	 * Acquire a lock for a subscriber. Operators drop values when they are cancelled, so
	 * the hold belongs to this method until the filter passes it on. No operator after
	 * the filter switches threads.
	 */
	private static Mono<LockHandle> acquire(LockRequest request,
			Function<LockRequest, CompletionStage<? extends @Nullable LockHandle>> acquire) {
		return Mono.defer(() -> {
			Hold hold = new Hold(acquire.apply(request), request.isExclusive());
			AtomicBoolean decided = new AtomicBoolean();
			return hold.acquired().filter((handle) -> decided.compareAndSet(false, true)).doFinally((end) -> {
				if (decided.compareAndSet(false, true)) {
					hold.leave(false).subscribe();
				}
			});
		});
	}

	/**
	 * Run a section under a lock, or complete empty if {@code acquire} returns no handle.
	 */
	private <T> Flux<T> run(LockRequest request,
			Function<LockRequest, CompletionStage<? extends @Nullable LockHandle>> acquire, Publisher<T> section) {
		Flux<T> work = Flux.from(section);
		OnLost reaction = (request.onLost() != null) ? request.onLost() : this.onLost;
		return Flux.deferContextual((context) -> {
			for (String name : request.names()) {
				Hold outer = held(context, name);
				if (outer != null && outer.enter()) {
					List<String> others = request.names()
						.stream()
						.filter((other) -> held(context, other) != outer)
						.toList();
					Flux<T> inner = others.isEmpty() ? work : run(request.names(others), acquire, work);
					return run(outer, reaction, (request.isExclusive() && !outer.exclusive) ? upgrade(name) : inner);
				}
			}
			Hold hold = new Hold(acquire.apply((reaction == request.onLost()) ? request : request.onLost(reaction)),
					request.isExclusive());
			Flux<T> locked = work.contextWrite((inner) -> with(hold, request.names(), inner));
			return run(hold, reaction, locked);
		});
	}

	private static <T> Flux<T> upgrade(String name) {
		return Flux.error(() -> new IllegalStateException("Lock '" + name + "' can't be upgraded: this pipeline shares"
				+ " the lock and would wait for itself. Acquire the lock exclusively from the start"));
	}

	/** Run a section in a hold that it has entered, and leave the hold at the end. */
	private static <T> Flux<T> run(Hold entered, OnLost onLost, Flux<T> section) {
		SectionCalls calls = new SectionCalls();
		Flux<T> counted = calls.count(section);
		return Flux.usingWhen(Mono.just(entered), (hold) -> hold.acquired()
			// completes the pipeline: takeUntilOther cancels the section only on
			// completion
			.flatMapMany(
					(handle) -> (onLost == OnLost.INTERRUPT) ? counted.takeUntilOther(hold.lossOf(handle)) : counted),
				(hold) -> hold.leave(true),
				(hold, failure) -> hold.leave(calls.begun)
					.then(Mono.fromRunnable(() -> addLoss(hold, onLost, failure))),
				(hold) -> calls.end().then(Mono.defer(() -> hold.leave(calls.begun))))
			.concatWith(Mono.defer(() -> {
				LockLostException loss = lossToThrow(entered, onLost);
				return (loss != null) ? Mono.error(loss) : Mono.empty();
			}));
	}

	private static void addLoss(Hold hold, OnLost onLost, Throwable failure) {
		LockLostException loss = lossToThrow(hold, onLost);
		if (loss != null && loss != failure) {
			failure.addSuppressed(loss);
		}
	}

	private static @Nullable LockLostException lossToThrow(Hold hold, OnLost onLost) {
		return (onLost != OnLost.LOG) ? hold.loss() : null;
	}

	private @Nullable Hold held(ContextView context, String name) {
		return context.getOrDefault(new HoldKey(this.operations, name), null);
	}

	private Context with(Hold hold, List<String> names, Context context) {
		Context locked = context;
		for (String name : names) {
			locked = locked.put(new HoldKey(this.operations, name), hold);
		}
		return locked;
	}

	/** Key of a hold in the Reactor context. */
	private record HoldKey(LockOperations operations, String name) {

	}

	/**
	 * A hold, or the wait for a hold, shared by all sections of a pipeline that acquire
	 * the same lock. The last section releases the lock.
	 */
	private static final class Hold {

		private final CompletableFuture<? extends @Nullable LockHandle> acquiring;

		private final boolean exclusive;

		private final AtomicInteger sections = new AtomicInteger(1);

		private final Sinks.Empty<Void> lost = Sinks.empty();

		private final AtomicBoolean watched = new AtomicBoolean();

		/** Whether a section that has left had begun. */
		private volatile boolean used;

		Hold(CompletionStage<? extends @Nullable LockHandle> acquiring, boolean exclusive) {
			this.acquiring = acquiring.toCompletableFuture();
			this.exclusive = exclusive;
		}

		/** Add a section, or return false if the last section has left. */
		boolean enter() {
			return this.sections.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) > 0;
		}

		/**
		 * Return the handle, nothing if the lock was not acquired, or an error if the
		 * acquisition failed or the lease is lost. Only {@link #leave} ends the wait.
		 */
		Mono<LockHandle> acquired() {
			return Mono.<LockHandle>fromFuture(this.acquiring, true)
				.publishOn(Schedulers.parallel())
				.doOnNext(LockHandle::ensureHeld);
		}

		/** Complete once the lease is lost, by one callback for all sections. */
		Mono<Void> lossOf(LockHandle handle) {
			if (this.watched.compareAndSet(false, true)) {
				handle.onLost((QuickCallback) this.lost::tryEmitEmpty);
			}
			return this.lost.asMono();
		}

		/**
		 * Leave a section, and complete after a release. Must be called once for each
		 * section.
		 * @param begun whether the section had begun; otherwise the lock has no minimum
		 * hold time
		 */
		Mono<Void> leave(boolean begun) {
			this.used |= begun;
			if (this.sections.decrementAndGet() > 0) {
				return Mono.empty();
			}
			this.acquiring.cancel(false);
			LockHandle handle = handle();
			if (handle == null) {
				return Mono.empty();
			}
			CompletionStage<Void> released = this.used ? handle.closeAsync() : handle.discardAsync();
			return Mono.fromCompletionStage(released).publishOn(Schedulers.parallel());
		}

		@Nullable LockLostException loss() {
			LockHandle handle = handle();
			return (handle != null) ? handle.loss() : null;
		}

		private @Nullable LockHandle handle() {
			boolean acquired = this.acquiring.isDone() && !this.acquiring.isCompletedExceptionally();
			return acquired ? this.acquiring.join() : null;
		}

	}

	/**
	 * The calls into a section: its subscription and its requests, which may run code of
	 * the section on the calling thread. A cancelled section does not begin any more, and
	 * the lock is released after the calls under way have returned.
	 */
	private static final class SectionCalls {

		private final AtomicInteger running = new AtomicInteger(1);

		private final CompletableFuture<Void> ended = new CompletableFuture<>();

		private volatile boolean cancelled;

		private volatile boolean begun;

		<T> Flux<T> count(Flux<T> section) {
			return Flux.from((subscriber) -> {
				CoreSubscriber<? super T> actual = Operators.toCoreSubscriber(subscriber);
				if (!call(() -> {
					this.begun = true;
					section.subscribe(new Counted<>(actual));
				})) {
					Operators.complete(actual);
				}
			});
		}

		/** Make a call, or return false if the section is cancelled. */
		private boolean call(Runnable call) {
			if (this.running.getAndUpdate((count) -> (count > 0) ? count + 1 : 0) == 0) {
				return false;
			}
			try {
				if (this.cancelled) {
					return false;
				}
				call.run();
				return true;
			}
			finally {
				returned();
			}
		}

		private void returned() {
			if (this.running.decrementAndGet() == 0) {
				this.ended.complete(null);
			}
		}

		/** Refuse further calls, and complete once no call is under way. */
		Mono<Void> end() {
			this.cancelled = true;
			returned();
			return Mono.fromFuture(this.ended);
		}

		/** Passes the signals of a section on. */
		private final class Counted<T> implements CoreSubscriber<T>, Subscription {

			private final CoreSubscriber<? super T> actual;

			@SuppressWarnings("NullAway.Init") // comes before all other signals
			private Subscription section;

			Counted(CoreSubscriber<? super T> actual) {
				this.actual = actual;
			}

			@Override
			public Context currentContext() {
				return this.actual.currentContext();
			}

			@Override
			public void onSubscribe(Subscription section) {
				this.section = section;
				this.actual.onSubscribe(this);
			}

			@Override
			public void onNext(T value) {
				this.actual.onNext(value);
			}

			@Override
			public void onError(Throwable failure) {
				if (failure instanceof NotBegunException) {
					SectionCalls.this.begun = false;
				}
				this.actual.onError(failure);
			}

			@Override
			public void onComplete() {
				this.actual.onComplete();
			}

			@Override
			public void request(long count) {
				call(() -> this.section.request(count));
			}

			@Override
			public void cancel() {
				this.section.cancel();
			}

		}

	}

}
