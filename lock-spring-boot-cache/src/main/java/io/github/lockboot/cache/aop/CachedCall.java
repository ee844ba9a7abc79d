package io.github.lockboot.cache.aop;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.aop.MethodBody;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheOperations;

/**
 * One call of an annotated method.
 */
final class CachedCall {

	private final CachedMethod method;

	private final MethodInvocation invocation;

	private final Supplier<CacheOperations> operations;

	private final Executor executor;

	CachedCall(CachedMethod method, MethodInvocation invocation, Supplier<CacheOperations> operations,
			Executor executor) {
		this.method = method;
		this.invocation = invocation;
		this.operations = operations;
		this.executor = executor;
	}

	/** Return the result; the present thread waits for it. */
	@SuppressWarnings("try") // closed only
	@Nullable Object runHere() throws Throwable {
		try (CacheOperations.Announcement announced = announce()) {
			List<CacheEviction> early = evictBefore();
			CacheRead read = this.method.read();
			Object result;
			try {
				result = (read != null) ? read(read) : this.invocation.proceed();
			}
			catch (Throwable ex) {
				evictAgain(early, ex);
				throw ex;
			}
			write(result, early);
			return result;
		}
	}

	boolean evictsBefore() {
		return this.method.evictsBefore();
	}

	/** Evict what is to be evicted before the method runs, and return it. */
	List<CacheEviction> evictBefore() {
		if (!evictsBefore()) {
			return List.of();
		}
		List<CacheEviction> early = this.method.writes()
			.stream()
			.flatMap((write) -> write.before(call(write.cacheName())))
			.toList();
		early.forEach(this.operations.get()::evict);
		return early;
	}

	/** The method has failed, but others may have cached old data while it ran. */
	private void evictAgain(List<CacheEviction> early, Throwable failure) {
		try {
			evictAgain(early);
		}
		catch (RuntimeException ex) {
			failure.addSuppressed(ex);
		}
	}

	void evictAgain(List<CacheEviction> early) {
		changeAll(again(early));
	}

	private Stream<Runnable> again(List<CacheEviction> early) {
		return early.stream().map((eviction) -> () -> this.operations.get().evict(eviction.whenCommitted()));
	}

	/** What is read meanwhile in a transaction may be rolled back with it. */
	private CacheOperations.@Nullable Announcement announce() {
		List<CacheWrite> writes = this.method.writes();
		return writes.isEmpty() ? null : this.operations.get()
			.announce(writes.stream().map((write) -> write.announced(call(write.cacheName()))).toList());
	}

	private @Nullable Object read(CacheRead read) throws Throwable {
		Call call = call(read.spec().name());
		if (!call.holds(read.condition())) {
			return this.invocation.proceed();
		}
		return this.operations.get().get(read.spec(), read.key().keyOf(call), read.loader(call, this.invocation));
	}

	/** Return the stage; no thread waits for it. */
	@SuppressWarnings("unchecked")
	Object runStaged() {
		return begin((repeated) -> (CompletionStage<@Nullable Object>) Objects.requireNonNull(repeated.proceed(),
				"The method has returned null instead of a stage"));
	}

	/** Return the value to come. */
	@SuppressWarnings("try")
	CompletableFuture<@Nullable Object> begin(Body body) {
		try (CacheOperations.Announcement announced = announce()) {
			return written(evictBefore(), value(body));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private CompletableFuture<@Nullable Object> value(Body body) {
		try {
			return begun(body);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private CompletableFuture<@Nullable Object> begun(Body body) throws Throwable {
		MethodBody repeatable = MethodBody.repeatable(this.invocation);
		CacheRead read = this.method.read();
		Call call = (read != null) ? call(read.spec().name()) : null;
		if (read == null || call == null || !call.holds(read.condition())) {
			return body.run(repeatable).toCompletableFuture();
		}
		return this.operations.get()
			.getAsync(read.spec(), read.key().keyOf(call), read.loader(call, () -> body.run(repeatable)));
	}

	private CompletableFuture<@Nullable Object> written(List<CacheEviction> early,
			CompletableFuture<@Nullable Object> value) {
		if (this.method.writes().isEmpty()) {
			return value;
		}
		BiConsumer<@Nullable Object, @Nullable Throwable> write = (result, failure) -> {
			if (failure != null) {
				evictAgain(early, failure);
			}
			else {
				write(result, early);
			}
		};
		// in the caller's transaction, if there is one
		return value.isDone() ? value.whenComplete(write) : value.whenCompleteAsync(write, this.executor);
	}

	/** The same without reading or writing anything. */
	CompletableFuture<@Nullable Object> beginPastTheCache(Body body) {
		try {
			return body.run(MethodBody.repeatable(this.invocation)).toCompletableFuture();
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** Tell the cache what the method has changed. */
	void write(@Nullable Object result, List<CacheEviction> early) {
		Stream<Runnable> changes = this.method.writes().stream().map((write) -> () -> write(write, result));
		changeAll(Stream.concat(again(early), changes));
	}

	/**
	 * The method has run: what one change fails by must not keep the others from being
	 * made.
	 */
	static void changeAll(Stream<Runnable> changes) {
		RuntimeException failure = null;
		for (Runnable change : changes.toList()) {
			try {
				change.run();
			}
			catch (RuntimeException ex) {
				failure = (failure != null) ? failure : ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	private void write(CacheWrite write, @Nullable Object result) {
		Call call = call(write.cacheName());
		if (call.holds(write.condition(), result)) {
			write.apply(this.operations.get(), call, result);
		}
	}

	private Call call(String cacheName) {
		return new Call(cacheName, this.invocation.getThis(), this.invocation.getArguments(), this.method.parameters());
	}

	/** Runs the method, and tells when its value is there. */
	interface Body {

		CompletionStage<@Nullable Object> run(MethodBody method) throws Throwable;

	}

}
