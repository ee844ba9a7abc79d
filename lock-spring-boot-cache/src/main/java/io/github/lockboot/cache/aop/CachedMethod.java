package io.github.lockboot.cache.aop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;
import reactor.core.scheduler.Schedulers;

import io.github.lockboot.aop.MethodBody;
import io.github.lockboot.aop.MethodNames;
import io.github.lockboot.aop.TransactionOrder;
import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheBatchLoader;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CacheTerms;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.aop.ExpressionContext.KeySource;
import io.github.lockboot.cache.key.KeyEncoder.EncodedKey;
import io.github.lockboot.cache.transaction.Transactions;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.expression.MethodExpression;

/**
 * The parsed annotations of one method.
 *
 * @param writes changes of caches after it has returned, in order
 * @param parameters number of arguments that a caller passes
 * @param lookup returns the cache at the first call, so that creating a proxy does not
 * connect
 * @param executor where evicts and puts run after asynchronous methods
 */
record CachedMethod(@Nullable CacheRead read, List<CacheWrite> writes, int parameters, Runner runner,
		Supplier<CacheOperations> lookup, AtomicReference<@Nullable CacheOperations> found,
		Executor executor) implements MethodInterceptor {

	private static final boolean REACTOR = ClassUtils.isPresent("reactor.core.scheduler.Schedulers",
			CachedMethod.class.getClassLoader());

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		return this.runner.run(new CachedCall(this, invocation,
				this.writes.stream()
					.map((write) -> write
						.keysBefore(new ExpressionContext(write.cacheName(), invocation, this.parameters, null)))
					.toList()));
	}

	/**
	 * Return the cache. No lock is held during the lookup, since other threads may create
	 * beans meanwhile.
	 */
	CacheOperations operations() {
		CacheOperations known = this.found.get();
		if (known == null) {
			known = this.lookup.get();
			this.found.set(known);
		}
		return known;
	}

	boolean evictsBefore() {
		return this.writes.stream().anyMatch((write) -> write instanceof CacheWrite.Evict evict && evict.early());
	}

	/** Return the caches whose type of values the method determines. */
	List<CacheSpec<?>> specs() {
		Stream<CacheSpec<?>> puts = this.writes.stream()
			.flatMap((write) -> (write instanceof CacheWrite.Put put) ? Stream.of(put.spec()) : Stream.empty());
		return Stream.concat(Stream.ofNullable(this.read).map(CacheRead::spec), puts).toList();
	}

	@FunctionalInterface
	interface Runner {

		@Nullable Object run(CachedCall call) throws Throwable;

	}

	/**
	 * One call of an annotated method.
	 *
	 * @param keysBefore the keys of each write when the method was called
	 */
	record CachedCall(CachedMethod method, MethodInvocation invocation, List<List<EncodedKey>> keysBefore) {

		private CacheOperations operations() {
			return this.method.operations();
		}

		/** Return the result; the current thread waits for it. */
		@SuppressWarnings("try") // closed only
		@Nullable Object run() throws Throwable {
			try (CacheOperations.Announcement announced = announce()) {
				List<CacheEviction> early = evictBefore();
				Object result;
				try {
					result = read();
				}
				catch (Throwable ex) {
					evictAgain(early, ex);
					throw ex;
				}
				write(result, early);
				return result;
			}
		}

		private @Nullable Object read() throws Throwable {
			CacheRead read = this.method.read();
			ExpressionContext context = (read != null) ? context(read.spec().name()) : null;
			if (read == null || context == null || !context.holds(read.condition())) {
				return this.invocation.proceed();
			}
			if (read.keys() != null) {
				return operations().getAll(read.spec(context), context.keys(read.keys()), read.batchLoader(context));
			}
			return operations().get(read.spec(context), read.key().keyOf(context), read.loader(context));
		}

		/** Return the stage; no thread waits for it. */
		@SuppressWarnings("unchecked")
		Object runStaged() {
			MethodBody body = MethodBody.repeatable(this.invocation);
			return begin(() -> (CompletionStage<@Nullable Object>) Objects.requireNonNull(body.proceed(),
					"The method has returned null instead of a stage"));
		}

		/** Return the future value; the body starts the method. */
		CompletableFuture<@Nullable Object> begin(AsyncCacheLoader<@Nullable Object> body) {
			return (this.method.evictsBefore() && REACTOR && Schedulers.isInNonBlockingThread())
					? CompletableFuture.supplyAsync(() -> beginHere(body), this.method.executor())
						.thenCompose((value) -> value)
					: beginHere(body);
		}

		@SuppressWarnings("try")
		private CompletableFuture<@Nullable Object> beginHere(AsyncCacheLoader<@Nullable Object> body) {
			try (CacheOperations.Announcement announced = announce()) {
				List<CacheEviction> early = evictBefore();
				return written(early, started(() -> beginRead(body)));
			}
			catch (Throwable ex) {
				return CompletableFuture.failedFuture(ex);
			}
		}

		@SuppressWarnings("unchecked")
		static CompletableFuture<@Nullable Object> started(AsyncCacheLoader<@Nullable Object> body) {
			try {
				return (CompletableFuture<@Nullable Object>) StageFailure.future(body.load());
			}
			catch (Throwable ex) {
				return CompletableFuture.failedFuture(ex);
			}
		}

		private CompletionStage<? extends @Nullable Object> beginRead(AsyncCacheLoader<@Nullable Object> body)
				throws Throwable {
			CacheRead read = this.method.read();
			ExpressionContext context = (read != null) ? context(read.spec().name()) : null;
			if (read == null || context == null || !context.holds(read.condition())) {
				return body.load();
			}
			return operations().getAsync(read.spec(context), read.key().keyOf(context), read.loader(context, body));
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
			boolean inTransaction = TransactionOrder.TRANSACTIONS
					&& TransactionSynchronizationManager.isSynchronizationActive();
			// not here, since an evict waits for Redis, unless in the caller's
			// transaction
			return (value.isDone() && inTransaction) ? value.whenComplete(write)
					: value.whenCompleteAsync(write, this.method.executor());
		}

		/**
		 * Announce the changes of the method: what others read meanwhile may be rolled
		 * back.
		 */
		private CacheOperations.@Nullable Announcement announce() {
			return this.method.writes().isEmpty() ? null : operations().announce(announced());
		}

		private List<CacheEviction> announced() {
			List<CacheWrite> writes = this.method.writes();
			return IntStream.range(0, writes.size())
				.mapToObj((i) -> writes.get(i).announced(this.keysBefore.get(i)))
				.toList();
		}

		/** Evict whatever the method may have changed. */
		void evictAnnounced() {
			Transactions.makeAll(announced().stream().map((eviction) -> () -> operations().evict(eviction)));
		}

		/** Run the evicts that precede the method, and return them. */
		List<CacheEviction> evictBefore() {
			if (!this.method.evictsBefore()) {
				return List.of();
			}
			List<CacheEviction> early = this.method.writes()
				.stream()
				.flatMap((write) -> write.before(context(write.cacheName())))
				.toList();
			early.forEach(operations()::evict);
			return early;
		}

		/**
		 * Evict again after a failure of the method: others may have cached old data
		 * meanwhile.
		 */
		private void evictAgain(List<CacheEviction> early, Throwable failure) {
			try {
				evictAgain(early);
			}
			catch (RuntimeException ex) {
				failure.addSuppressed(ex);
			}
		}

		void evictAgain(List<CacheEviction> early) {
			Transactions.makeAll(again(early));
		}

		private Stream<Runnable> again(List<CacheEviction> early) {
			return early.stream().map((eviction) -> () -> operations().evict(eviction.whenCommitted()));
		}

		void write(@Nullable Object result, List<CacheEviction> early) {
			if (this.method.writes().isEmpty()) {
				return;
			}
			List<CacheWrite> writes = this.method.writes();
			Stream<Runnable> changes = IntStream.range(0, writes.size()).mapToObj((i) -> () -> {
				CacheWrite write = writes.get(i);
				ExpressionContext context = context(write.cacheName()).returned(result);
				if (context.holds(write.condition())) {
					write.apply(operations(), context, this.keysBefore.get(i));
				}
			});
			Transactions.makeAll(Stream.concat(again(early), changes));
		}

		private ExpressionContext context(String cacheName) {
			return new ExpressionContext(cacheName, this.invocation, this.method.parameters(), null);
		}

	}

	/**
	 * The parsed {@link RedisCache @RedisCache} of a method.
	 *
	 * @param keys the keys of several entries, or {@code null} for the one key
	 * @param tags the tags of a result, or {@code null} for none
	 * @param ttlFrom how long a result is fresh, or {@code null} for the settings
	 * @param condition whether a call is cached, or {@code null} for always
	 * @param unless whether a result is not stored, or {@code null} for never
	 */
	record CacheRead(CacheSpec<@Nullable Object> spec, KeySource key, @Nullable MethodExpression keys,
			@Nullable MethodExpression tags, @Nullable MethodExpression ttlFrom, @Nullable MethodExpression condition,
			@Nullable MethodExpression unless) {

		CacheSpec<@Nullable Object> spec(ExpressionContext context) {
			return context.tagged(this.spec, this.tags);
		}

		CacheLoader<@Nullable Object, Throwable> loader(ExpressionContext context) {
			return new InvocationLoader(this, context, context.invocation()::proceed);
		}

		CacheBatchLoader<Object, @Nullable Object, Throwable> batchLoader(ExpressionContext context) {
			return new MapLoader(this, context);
		}

		AsyncCacheLoader<@Nullable Object> loader(ExpressionContext context, AsyncCacheLoader<@Nullable Object> body) {
			return new StageLoader(this, context, body);
		}

		/** What the annotation declares about the result of one call. */
		private interface Terms extends CacheTerms<@Nullable Object> {

			CacheRead read();

			ExpressionContext context();

			@Override
			default boolean isStorable(@Nullable Object value) {
				MethodExpression unless = read().unless();
				return unless == null || !context().returned(value).holds(unless);
			}

			@Override
			default Object keyNow(Object key) {
				return read().key().isRepeatable() ? read().key().keyOf(context()) : key;
			}

			@Override
			default @Nullable Duration ttlOf(@Nullable Object value) {
				MethodExpression ttlFrom = read().ttlFrom();
				if (ttlFrom == null || ObjectUtils.unwrapOptional(value) == null) {
					return null;
				}
				Object ttl = context().returned(value).evaluate(ttlFrom);
				if (ttl instanceof Duration duration) {
					return duration;
				}
				if (ttl instanceof Number millis) {
					return Duration.ofMillis(millis.longValue());
				}
				throw context().failure(ttlFrom.text(), "is neither a duration nor a number of milliseconds but " + ttl,
						null);
			}

		}

		private record InvocationLoader(CacheRead read, ExpressionContext context,
				MethodBody body) implements Terms, CacheLoader<@Nullable Object, Throwable> {

			@Override
			@SuppressWarnings("NullAway") // a method may return null
			public @Nullable Object load() throws Throwable {
				return this.body.proceed();
			}

			@Override
			public CacheLoader<@Nullable Object, Throwable> inBackground() {
				return new InvocationLoader(this.read, this.context, MethodBody.repeatable(this.context.invocation()));
			}

		}

		/** Calls the method with the missing keys in place of its only argument. */
		private record MapLoader(CacheRead read,
				ExpressionContext context) implements Terms, CacheBatchLoader<Object, @Nullable Object, Throwable> {

			@Override
			@SuppressWarnings("unchecked")
			public Map<Object, @Nullable Object> load(List<Object> missing) throws Throwable {
				MethodInvocation call = this.context.invocation();
				boolean list = call.getMethod().getParameterTypes()[0].isAssignableFrom(ArrayList.class);
				// AspectJ-style advice looks up its call in the thread
				Object values = ExposeInvocationInterceptor.INSTANCE.invoke(((ProxyMethodInvocation) call)
					.invocableClone(list ? new ArrayList<>(missing) : new LinkedHashSet<>(missing)));
				return (Map<Object, @Nullable Object>) Objects.requireNonNull(values,
						() -> MethodNames.describe(call.getMethod()) + " has returned null instead of a map");
			}

			/** The method is called with keys of the cache, which no caller changes. */
			@Override
			public Object keyNow(Object key) {
				return key;
			}

		}

		private record StageLoader(CacheRead read, ExpressionContext context,
				AsyncCacheLoader<@Nullable Object> body) implements Terms, AsyncCacheLoader<@Nullable Object> {

			@Override
			public CompletionStage<? extends @Nullable Object> load() throws Throwable {
				return this.body.load();
			}

		}

	}

}
