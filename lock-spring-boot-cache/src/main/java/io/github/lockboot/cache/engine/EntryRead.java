package io.github.lockboot.cache.engine;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheInterruptedException;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheWaitTimeoutException;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.OnWaitTimeout;
import io.github.lockboot.cache.codec.CodecException;
import io.github.lockboot.cache.engine.Load.LoadLease;
import io.github.lockboot.cache.engine.SingleFlight.Caller;
import io.github.lockboot.cache.engine.TypedCache.KeyedLoader;
import io.github.lockboot.cache.engine.TypedCache.SealedEntry;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.transaction.Transactions;
import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;

/**
 * One caller's read of one entry, as steps: the copy of this JVM, then the entry in
 * Redis, then the {@link SingleFlight} of all callers that miss it. {@link #get} takes
 * the steps on the caller's thread, {@link #getAsync} blocks no thread, and
 * {@link BatchRead} takes the steps of several entries together.
 */
final class EntryRead<T extends @Nullable Object> {

	private final Context context;

	private final TypedCache cache;

	private final String key;

	/** Refreshes the entry in the background; without it, a miss joins no flight. */
	private final @Nullable KeyedLoader<T> refresher;

	private final Function<EntryKeys, CompletableFuture<byte @Nullable []>> reader;

	/** The load that the caller runs, if a loader has called it. */
	private final @Nullable Load currentLoad;

	/** View of the transaction of the caller's thread, which the steps may leave. */
	private final Transactions.@Nullable View transaction;

	private byte @Nullable [] rejected;

	private @Nullable Throwable redisFailure;

	/** Whether an evict of this JVM was not confirmed when the read began. */
	private boolean evicting;

	/** Create a read, on the thread of the caller. */
	EntryRead(Context context, TypedCache cache, String key, @Nullable KeyedLoader<T> refresher) {
		this(context, cache, key, refresher, context.store()::read);
	}

	EntryRead(Context context, TypedCache cache, String key, @Nullable KeyedLoader<T> refresher,
			Function<EntryKeys, CompletableFuture<byte @Nullable []>> reader) {
		this.context = context;
		this.cache = cache;
		this.key = key;
		this.reader = reader;
		this.transaction = context.changes().transactions().view(cache.name(), key);
		this.refresher = (this.transaction == null || this.transaction.mayStore()) ? refresher : null;
		this.currentLoad = context.flights().currentLoad();
	}

	/** Return the value if the entry is present, else {@code null}. */
	@Nullable CachedValue<T> find() {
		if (await() instanceof Step.Done<T> done) {
			return new CachedValue<>(done.value());
		}
		this.cache.report(CacheEvent.ABSENT);
		return null;
	}

	/** Return the value, loading it on the caller's thread if no other caller does. */
	@SuppressWarnings("unchecked") // the failure of a loader of the same entry
	<X extends Throwable> T get(CacheLoader<T, X> loader) throws X {
		Step<T> last = await();
		if (last instanceof Step.Done<T> done) {
			return done.value();
		}
		if (last instanceof Step.Failed<T> failed) {
			throw (X) failed.failure();
		}
		return load(loader, ((Step.Miss<T>) last).flight());
	}

	private Step<T> await() {
		Step<T> step = start();
		while (step instanceof Step.Wait<T> wait) {
			Caller caller = wait.caller();
			if (caller != null && !caller.isDone()) {
				awaitOthers(caller);
			}
			step = wait.next().get();
		}
		return step;
	}

	private void awaitOthers(Caller caller) {
		// until then this caller does not wait for others, and cannot be interrupted
		FutureWait.awaitUninterruptibly(CompletableFuture.anyOf(caller, caller.decided()),
				CacheStore.LONGEST_CONNECT.plus(this.context.store().replyTimeout()));
		if (caller.isDone()) {
			return;
		}
		limit(caller);
		try {
			FutureWait.get(caller);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			// unless the outcome arrived in between, which the caller has to act upon
			caller.complete(
					new SingleFlight.Failure(new CacheInterruptedException(this.cache.name(), this.key, ex), false));
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("An outcome never fails", ex);
		}
	}

	private <X extends Throwable> T load(CacheLoader<T, X> loader, @Nullable SingleFlight flight) throws X {
		Load load = newLoad(flight);
		T value = load.run(loader::load);
		this.context.store().await(deliver(flight, load, value));
		return value;
	}

	/** Return the value without blocking a thread. */
	CompletableFuture<T> getAsync(AsyncCacheLoader<T> loader, AsyncThreads threads) {
		CompletableFuture<T> result = new CompletableFuture<>();
		proceed(start(), loader, threads, result);
		return result;
	}

	private void proceed(Step<T> first, AsyncCacheLoader<T> loader, AsyncThreads threads, CompletableFuture<T> result) {
		Step<T> step = first;
		while (step instanceof Step.Wait<T> wait) {
			if (!wait.reply().isDone()) {
				if (wait.caller() != null) {
					limit(wait.caller());
				}
				wait.reply().whenCompleteAsync((reply, failure) -> {
					try {
						proceed(wait.next().get(), loader, threads, result);
					}
					catch (RuntimeException | Error ex) {
						result.completeExceptionally(ex);
					}
				}, threads.forResults());
				return;
			}
			step = wait.next().get();
		}
		if (step instanceof Step.Done<T> done) {
			result.complete(done.value());
		}
		else if (step instanceof Step.Failed<T> failed) {
			result.completeExceptionally(failed.failure());
		}
		else {
			SingleFlight flight = step.flight();
			threads.load(() -> load(unlessChanged(flight), loader, threads, result));
		}
	}

	private void load(@Nullable SingleFlight flight, AsyncCacheLoader<T> loader, AsyncThreads threads,
			CompletableFuture<T> result) {
		Load load = newLoad(flight);
		load.start(loader)
			.thenCompose((value) -> deliver(unlessChanged(flight), load, value).handleAsync((stored, failure) -> value,
					threads.forResults()))
			.whenComplete((value, failure) -> StageFailure.pass(value, failure, result));
	}

	/** Return the flight, or leave it if the value is not that of its entry. */
	private @Nullable SingleFlight unlessChanged(@Nullable SingleFlight flight) {
		if (flight == null || this.refresher == null || !this.refresher.hasAnotherKey()) {
			return flight;
		}
		flight.leave();
		return null;
	}

	/** Return the load of a flight, or of the caller only. */
	Load newLoad(@Nullable SingleFlight flight) {
		return this.context.flights().newLoad(this.cache, Collections.singletonList(flight));
	}

	/** Return the first step, on the thread of the caller. */
	Step<T> start() {
		if (this.transaction != null && this.transaction.changing()) {
			// only the database has what this transaction is to see
			return new Step.Miss<>(null);
		}
		if (this.context.changes().isPending(this.cache.name(), this.key)) {
			this.evicting = true;
			return join(lastKnown());
		}
		return findEpoch();
	}

	private Step<T> findEpoch() {
		Epochs.EpochView known = this.context.epochs().find(this.cache.name());
		if (known != null) {
			return findEntry(known);
		}
		return whenReplied(this.context.epochs().get(this.cache.name()), this::findEntry);
	}

	private <R extends @Nullable Object> Step<T> whenReplied(CompletableFuture<R> reply, Function<R, Step<T>> next) {
		return new Step.Wait<>(reply, null, () -> {
			R result;
			try {
				result = FutureWait.join(reply);
			}
			catch (CompletionException ex) {
				return withoutRedis(StageFailure.cause(ex));
			}
			return next.apply(result);
		});
	}

	private Step<T> findEntry(Epochs.EpochView view) {
		LocalCache local = this.cache.local();
		Envelope copy = (local != null) ? local.find(view, this.key, false) : null;
		Step<T> value = (copy != null) ? use(view.epoch(), copy, CacheEvent.LOCAL_HIT) : null;
		if (value != null) {
			return value;
		}
		if (local != null && !this.context.store().follow(this.cache.name())) {
			local = null;
		}
		EntryKeys keys = keys(view.epoch());
		EntryRef entry = new EntryRef(view, keys, local, (local != null) ? local.stamp(keys.data()) : 0);
		if (this.refresher != null && this.context.flights().isOpen(keys)) {
			return join(entry);
		}
		return whenReplied(this.reader.apply(keys), (bytes) -> found(entry, bytes));
	}

	private EntryKeys keys(long epoch) {
		return this.context.store().keys(this.cache.name(), epoch, this.key);
	}

	private Step<T> found(EntryRef entry, byte @Nullable [] bytes) {
		LocalCache local = this.cache.local();
		if (local != null) {
			local.dropOutdated(entry.keys.data(), entry.local != null);
		}
		if (bytes == null) {
			return join(entry);
		}
		Envelope envelope = this.cache.open(bytes);
		Step<T> value = (envelope != null) ? use(entry, envelope, CacheEvent.HIT) : null;
		if (value != null) {
			return value;
		}
		this.rejected = Envelope.mark(bytes);
		if (envelope == null || !(this.cache.isExpired(envelope) || this.cache.isEvicted(envelope))) {
			this.cache.report(CacheEvent.UNREADABLE);
		}
		return join(entry);
	}

	private Step<T> withoutRedis(Throwable failure) {
		this.redisFailure = failure;
		EntryRef last = lastKnown();
		LocalCache local = CacheStore.isAnswer(failure) ? null : this.cache.local();
		Envelope copy = (local != null) ? local.find(last.view, this.key, true) : null;
		Step<T> value = (copy != null) ? use(last.view.epoch(), copy, CacheEvent.OUTAGE_HIT) : null;
		return (value != null) ? value : join(last);
	}

	private EntryRef lastKnown() {
		Epochs.EpochView last = this.context.epochs().lastKnown(this.cache.name());
		return new EntryRef(last, keys(last.epoch()), null, 0);
	}

	private Step<T> join(EntryRef entry) {
		if (this.refresher == null) {
			if (this.redisFailure != null || this.evicting) {
				this.cache.report(CacheEvent.REDIS_FAILED);
			}
			return new Step.Miss<>(null);
		}
		Caller caller = newCaller(entry.view.epoch());
		this.context.flights().join(this.cache, entry.keys, List.of(caller));
		if (this.currentLoad != null && !this.currentLoad.mayWait(caller::load, caller)) {
			caller.complete(new SingleFlight.Leader(null));
		}
		return new Step.Wait<>(caller, caller, () -> afterWait(entry, caller.join()));
	}

	private Caller newCaller(long epoch) {
		Long micros = seenMicros();
		Throwable failure = this.evicting
				? new IllegalStateException("Redis has not yet answered to an eviction of this entry")
				: this.redisFailure;
		return new Caller(new SingleFlight.Request(micros, micros != null && micros <= epoch, this.rejected, failure,
				this.evicting));
	}

	/**
	 * Return the Redis time since which the caller sees no change of the data, or
	 * {@code null} if it sees all changes.
	 */
	private @Nullable Long seenMicros() {
		if (this.transaction == null) {
			return null;
		}
		Long nanos = this.transaction.beganNanos();
		Long known = (nanos != null) ? this.context.store().time().notAfter(nanos) : null;
		return (known != null) ? known : 0L;
	}

	@SuppressWarnings({ "unchecked", "NullAway" })
	private Step<T> afterWait(EntryRef entry, SingleFlight.Outcome outcome) {
		if (outcome instanceof SingleFlight.Found found) {
			Step<T> value = use(entry, found.envelope(), found.loaded() ? CacheEvent.SHARED : CacheEvent.HIT);
			return (value != null) ? value : findEpoch();
		}
		if (outcome instanceof SingleFlight.Value shared) {
			this.cache.report(CacheEvent.SHARED);
			return new Step.Done<>((T) shared.value());
		}
		if (outcome instanceof SingleFlight.Failure shared) {
			if (shared.shared()) {
				this.cache.report(CacheEvent.SHARED);
			}
			return new Step.Failed<>(shared.failure());
		}
		return new Step.Miss<>(((SingleFlight.Leader) outcome).flight());
	}

	private @Nullable Step<T> use(EntryRef entry, Envelope envelope, CacheEvent event) {
		if (entry.local != null) {
			entry.local.keep(entry.view, entry.keys.data(), envelope, entry.stamp, this.cache.freshMillis(envelope));
		}
		return use(entry.view.epoch(), envelope, event);
	}

	/**
	 * Return the value of an entry, or {@code null} if the entry cannot be read, or if
	 * Redis still has it after its time: for others, which serve stale entries, or since
	 * its expiry was lost, or after an evict of its tag.
	 */
	@SuppressWarnings({ "unchecked", "NullAway" })
	private @Nullable Step<T> use(long epoch, Envelope envelope, CacheEvent event) {
		if (event == CacheEvent.HIT && this.cache.isExpired(envelope)) {
			this.rejected = envelope.mark();
			return null;
		}
		if (event != CacheEvent.OUTAGE_HIT && this.cache.lacksTagsOf(envelope)) {
			return findEpoch();
		}
		T value = null;
		boolean readable = !this.cache.isEvicted(envelope);
		try {
			value = readable ? (T) this.cache.read(envelope) : null;
		}
		catch (CodecException ex) {
			readable = false;
		}
		if (!readable) {
			this.rejected = envelope.mark();
			LocalCache local = this.cache.local();
			if (local != null) {
				local.drop(keys(epoch).data());
			}
			return null;
		}
		KeyedLoader<T> refresher = (event != CacheEvent.OUTAGE_HIT) ? this.refresher : null;
		boolean stale = refresher != null && this.cache.isStale(envelope);
		this.cache.report(stale ? CacheEvent.STALE_HIT : event);
		if (refresher != null && (stale || this.cache.isDue(envelope))) {
			this.context.flights()
				.refreshes()
				.start(this.cache, this.key, CompletableFuture.completedFuture(
						new Refreshes.OldEntry(keys(epoch), envelope.mark(), envelope.version())), refresher);
		}
		return new Step.Done<>(value);
	}

	/**
	 * Limit how long a caller waits for another JVM. After that time the caller fails, or
	 * one caller of this JVM loads for all.
	 */
	void limit(Caller caller) {
		MonotonicClock.Timer timer = this.context.store()
			.clock()
			.schedule(this.cache.settings().waitTimeout().plus(this.context.store().replyTimeout()), () -> {
				Load load = caller.load();
				if (load != null) {
					load.reportWait(this.key, this.cache.settings().waitTimeout());
				}
				if (this.cache.settings().onWaitTimeout() == OnWaitTimeout.FAIL) {
					caller.complete(new SingleFlight.Failure(new CacheWaitTimeoutException(this.cache.name(), this.key,
							this.cache.settings().waitTimeout()), false));
				}
				else {
					caller.waitEnded();
				}
			});
		caller.thenRun(timer::cancel);
	}

	/**
	 * Pass a loaded value to the callers of a flight, if there is one.
	 * @return completes when Redis has the entry
	 */
	CompletableFuture<?> deliver(@Nullable SingleFlight flight, Load load, T value) {
		KeyedLoader<T> terms = this.refresher;
		if (flight == null || terms == null) {
			return CompletableFuture.completedFuture(null);
		}
		LoadLease lease = flight.lease();
		Long seen = seenMicros();
		long position = (seen != null) ? Math.min(seen, load.tagPosition()) : load.tagPosition();
		SealedEntry entry;
		try {
			entry = lease.mayStore() ? this.cache.seal(value, terms, terms.tags(), position, load.tookNanos(),
					lease.longestLifeMillis(), null) : null;
		}
		catch (RuntimeException | Error ex) {
			flight.leave();
			throw ex;
		}
		if (lease.mayStore()
				&& (lease.longestLifeMillis() <= 0 || (entry != null && this.cache.isEvicted(entry.envelope())))) {
			// the value is older than the grace, or an evict: later callers must not get
			// it
			flight.leave();
			return CompletableFuture.completedFuture(null);
		}
		return (entry != null) ? flight.store(entry.envelope(), entry.lifeMillis())
				: flight.share(value, () -> this.cache.tagPosition() == load.tagPosition());
	}

	/**
	 * What the caller does next.
	 */
	sealed interface Step<T extends @Nullable Object> {

		record Done<T extends @Nullable Object>(T value) implements Step<T> {
		}

		record Failed<T extends @Nullable Object>(Throwable failure) implements Step<T> {
		}

		record Miss<T extends @Nullable Object>(@Nullable SingleFlight flight) implements Step<T> {
		}

		/**
		 * The caller waits.
		 *
		 * @param caller the caller if it waits for the load of another caller, which may
		 * take long; {@code null} if it waits for Redis only, whose reply takes a limited
		 * time
		 * @param next returns the next step; blocks until the reply is there
		 */
		record Wait<T extends @Nullable Object>(CompletableFuture<?> reply, @Nullable Caller caller,
				Supplier<Step<T>> next) implements Step<T> {
		}

		default @Nullable Caller caller() {
			return null;
		}

		/** Return the flight that the caller leads, if any. */
		default @Nullable SingleFlight flight() {
			return null;
		}

	}

	/**
	 * What the reads of a template share.
	 */
	record Context(Epochs epochs, SingleFlights flights, CacheChanges changes) {

		CacheStore store() {
			return this.flights.store();
		}

	}

	/**
	 * The entry in an epoch.
	 *
	 * @param local copies of this JVM, or {@code null} if none are used
	 * @param stamp state of the copies before the entry is read
	 */
	private record EntryRef(Epochs.EpochView view, EntryKeys keys, @Nullable LocalCache local, long stamp) {

	}

}
