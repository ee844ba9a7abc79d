package io.github.lockboot.cache.redis;

import java.util.List;
import java.util.concurrent.ExecutionException;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheInterruptedException;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.redis.EntryRead.Step;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * Reads an entry on the caller's thread.
 *
 * @param <T> type of the value
 */
final class BlockingRead<T extends @Nullable Object> {

	private final CacheContext context;

	private final EntryRead<T> read;

	BlockingRead(CacheContext context, TypedCache cache, String key, @Nullable CacheLoader<T, ?> refresher) {
		this.context = context;
		this.read = new EntryRead<>(context, cache, key, refresher, context.reads()::read);
	}

	/** Return the value if it is there, else {@code null}. */
	@Nullable CachedValue<T> find() {
		if (end() instanceof Step.Done<T> done) {
			return new CachedValue<>(done.value());
		}
		this.context.events().tell(this.read.cache().name(), CacheEvent.ABSENT);
		return null;
	}

	@SuppressWarnings("unchecked") // what a loader of the same entry has thrown
	<X extends Throwable> T get(CacheLoader<T, X> loader) throws X {
		Step<T> end = end();
		if (end instanceof Step.Done<T> done) {
			return done.value();
		}
		if (end instanceof Step.Failed<T> failed) {
			throw (X) failed.failure();
		}
		return load(loader, ((Step.Load<T>) end).order());
	}

	private Step<T> end() {
		Step<T> step = this.read.start();
		while (step instanceof Step.Wait<T> wait) {
			Waiter waiter = wait.waiter();
			if (waiter != null) {
				awaitOthers(waiter);
			}
			step = wait.next().get();
		}
		return step;
	}

	private void awaitOthers(Waiter waiter) {
		MonotonicClock.Timer limit = this.context.clock()
			.schedule(this.read.patience(), () -> this.read.timeOut(waiter));
		try {
			waiter.outcome().get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			// the outcome may have come in between, and it may be one to act upon
			waiter.complete(
					new Waiter.Failure(new CacheInterruptedException(this.read.cache().name(), this.read.key(), ex)));
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("An outcome is never a failure", ex);
		}
		finally {
			limit.cancel();
		}
	}

	private <X extends Throwable> T load(CacheLoader<T, X> loader, Waiter.@Nullable ToLoad order) throws X {
		this.read.tellLoad(order);
		LoadRun<T> run = new LoadRun<>(this.read.cache(), loader, this.context.events());
		if (order == null) {
			return run.load(loader::load);
		}
		T value;
		try {
			value = this.context.flights().load(List.of(order.flight()), () -> run.load(loader::load));
		}
		catch (Throwable ex) {
			order.flight().fail(order.lease(), ex);
			throw ex;
		}
		this.context.await(this.read.deliver(order, run, value));
		return value;
	}

}
