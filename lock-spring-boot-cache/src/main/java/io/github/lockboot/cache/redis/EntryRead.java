package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheUnavailableException;
import io.github.lockboot.cache.CacheWaitTimeoutException;
import io.github.lockboot.cache.OnWaitTimeout;
import io.github.lockboot.cache.codec.CodecException;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.redis.TypedCache.SealedEntry;
import io.github.lockboot.concurrent.StageFailure;

/**
 * One caller's read of one entry, as steps: the copy of this JVM, then the entry in
 * Redis, then the {@link SingleFlight} of all who miss it. A driver takes the steps,
 * blocking or not, and loads where that is the next one.
 *
 * @param <T> type of the value
 */
final class EntryRead<T extends @Nullable Object> {

	private final CacheContext context;

	private final TypedCache cache;

	private final String key;

	/** Loads the entry anew in the background; without it, a miss is not joined. */
	private final @Nullable CacheLoader<T, ?> refresher;

	private final Function<EntryKeys, CompletableFuture<byte @Nullable []>> reader;

	/** The load that the caller runs, if it is a loader itself. */
	private final SingleFlight.@Nullable Load loading;

	/** Of the caller's thread, which the steps may leave. */
	private final Transactions.@Nullable Begin begin;

	private byte @Nullable [] rejected;

	private @Nullable Throwable down;

	/**
	 * Create a read, on the thread of the caller.
	 * @param refresher loads the entry anew in the background; {@code null} for a look
	 * whether it is there
	 * @param reader reads the entry in Redis
	 */
	EntryRead(CacheContext context, TypedCache cache, String key, @Nullable CacheLoader<T, ?> refresher,
			Function<EntryKeys, CompletableFuture<byte @Nullable []>> reader) {
		this.context = context;
		this.cache = cache;
		this.key = key;
		// what a transaction loads that has changed anything must not be seen by others
		this.refresher = context.transactions().mayStore(cache.name()) ? refresher : null;
		this.reader = reader;
		this.begin = context.transactions().current();
		this.loading = context.flights().loading();
	}

	TypedCache cache() {
		return this.cache;
	}

	String key() {
		return this.key;
	}

	/** Return the first step, on the thread of the caller. */
	Step<T> start() {
		if (this.context.transactions().isChanging(this.cache.name(), this.key)) {
			// only the database knows what this transaction is to see
			return new Step.Load<>(null);
		}
		if (this.context.pending().concerns(this.cache.name(), this.key)) {
			return withoutRedis(new IllegalStateException("Redis has not yet answered to an eviction of this entry"));
		}
		return look();
	}

	private Step<T> look() {
		Epochs.Sight known = this.context.epochs().find(this.cache.name());
		if (known != null) {
			return find(known);
		}
		CompletableFuture<Epochs.Sight> asked = this.context.epochs().look(this.cache.name());
		return new Step.Wait<>(asked, null, () -> {
			try {
				return find(asked.join());
			}
			catch (CompletionException ex) {
				return withoutRedis(StageFailure.cause(ex));
			}
		});
	}

	private Step<T> find(Epochs.Sight sight) {
		LocalCache local = this.context.localOf(this.cache);
		Envelope copy = (local != null) ? local.find(sight, this.key) : null;
		Step<T> value = (copy != null) ? use(sight.epoch(), copy, CacheEvent.LOCAL_HIT) : null;
		if (value != null) {
			return value;
		}
		EntryKeys keys = keys(sight.epoch());
		EntryRef entry = new EntryRef(sight, keys, local, (local != null) ? local.stamp(keys.data()) : 0);
		if (this.refresher != null && this.context.flights().find(keys) != null) {
			return join(entry);
		}
		CompletableFuture<byte @Nullable []> reply = this.reader.apply(keys);
		return new Step.Wait<>(reply, null, () -> read(entry, reply));
	}

	private EntryKeys keys(long epoch) {
		return this.context.keys().entry(this.cache.name(), epoch, this.key);
	}

	private Step<T> read(EntryRef entry, CompletableFuture<byte @Nullable []> reply) {
		byte[] bytes;
		try {
			bytes = reply.join();
		}
		catch (CompletionException ex) {
			return withoutRedis(StageFailure.cause(ex));
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
		tell(CacheEvent.UNREADABLE);
		return join(entry);
	}

	private Step<T> withoutRedis(Throwable reason) {
		this.down = reason;
		Epochs.Sight last = this.context.epochs().findLast(this.cache.name());
		EntryKeys keys = keys(last.epoch());
		LocalCache local = this.context.store().isAnswer(reason) ? null : this.cache.local();
		Envelope copy = (local != null) ? local.findInOutage(keys.data(), last.nanos()) : null;
		Step<T> value = (copy != null) ? use(last.epoch(), copy, CacheEvent.OUTAGE_HIT) : null;
		return (value != null) ? value : join(new EntryRef(last, keys, null, 0));
	}

	private Step<T> join(EntryRef entry) {
		if (this.refresher == null) {
			if (this.down != null) {
				tell(CacheEvent.REDIS_FAILED);
			}
			return new Step.Load<>(null);
		}
		Waiter waiter = new Waiter(this.context.view(this.begin, entry.sight.epoch()), this.rejected);
		this.context.flights().join(this.cache, entry.keys, this.down, List.of(waiter));
		if (this.loading != null && !this.loading.mayWait(waiter)) {
			waiter.complete(new Waiter.Bypass());
		}
		return new Step.Wait<>(waiter.outcome(), waiter, () -> arrived(entry, waiter.outcome().join()));
	}

	@SuppressWarnings({ "unchecked", "NullAway" })
	private Step<T> arrived(EntryRef entry, Waiter.Outcome outcome) {
		if (outcome instanceof Waiter.Entry found) {
			Step<T> value = use(entry, found.envelope(), found.loaded() ? CacheEvent.SHARED : CacheEvent.HIT);
			return (value != null) ? value : look();
		}
		if (outcome instanceof Waiter.Value shared) {
			tell(CacheEvent.SHARED);
			return new Step.Done<>((T) shared.value());
		}
		if (outcome instanceof Waiter.Failure shared) {
			return new Step.Failed<>(shared.failure());
		}
		if (outcome instanceof Waiter.Unavailable unavailable) {
			return new Step.Failed<>(new CacheUnavailableException(this.cache.name(), this.key, unavailable.cause()));
		}
		return new Step.Load<>((outcome instanceof Waiter.ToLoad order) ? order : null);
	}

	private @Nullable Step<T> use(EntryRef entry, Envelope envelope, CacheEvent event) {
		if (entry.local != null) {
			entry.local.keep(entry.sight, entry.keys.data(), envelope, entry.stamp,
					envelope.staleAtMillis() - this.context.time().millis());
		}
		return use(entry.sight.epoch(), envelope, event);
	}

	/** Return the value of an entry, or {@code null} if it can't be read. */
	@SuppressWarnings({ "unchecked", "NullAway" })
	private @Nullable Step<T> use(long epoch, Envelope envelope, CacheEvent event) {
		T value;
		try {
			value = (T) this.cache.values().read(envelope);
		}
		catch (CodecException ex) {
			this.rejected = Envelope.mark(envelope.bytes());
			LocalCache local = this.cache.local();
			if (local != null) {
				local.drop(keys(epoch).data());
			}
			return null;
		}
		CacheLoader<T, ?> refresher = (event != CacheEvent.OUTAGE_HIT) ? this.refresher : null;
		boolean stale = refresher != null && this.cache.isStale(envelope, this.context.time());
		tell(stale ? CacheEvent.STALE_HIT : event);
		if (refresher != null && (stale || this.cache.isDue(envelope, this.context.time()))) {
			this.context.refreshes().start(this.cache, keys(epoch), Envelope.mark(envelope.bytes()), refresher);
		}
		return new Step.Done<>(value);
	}

	/** How long to wait for another JVM. */
	Duration patience() {
		return this.cache.settings().waitTimeout().plus(this.context.patience());
	}

	/**
	 * The caller has waited for another JVM for long enough: it fails, or one caller of
	 * this JVM loads for all.
	 */
	void timeOut(Waiter waiter) {
		if (this.cache.settings().onWaitTimeout() == OnWaitTimeout.FAIL) {
			waiter.complete(new Waiter.Failure(
					new CacheWaitTimeoutException(this.cache.name(), this.key, this.cache.settings().waitTimeout())));
		}
		else {
			waiter.hurry();
		}
	}

	/**
	 * Hand a loaded value to those who wait for it.
	 * @return done when Redis has it
	 */
	CompletableFuture<?> deliver(Waiter.ToLoad order, LoadRun<T> run, T value) {
		LoadLease lease = order.lease();
		SealedEntry entry;
		try {
			entry = lease.mayStore() ? run.seal(value, lease.graceMillis(), this.context.time()) : null;
		}
		catch (RuntimeException | Error ex) {
			order.flight().leave(lease);
			throw ex;
		}
		Envelope envelope = (entry != null) ? this.cache.open(entry.bytes()) : null;
		return (entry != null && envelope != null) ? order.flight().store(lease, envelope, entry.lifeMillis())
				: order.flight().share(lease, value, order.forLater());
	}

	/** Tell that the caller loads. */
	void tellLoad(Waiter.@Nullable ToLoad order) {
		tell((order != null && order.lease().mayStore()) ? CacheEvent.MISS : CacheEvent.BYPASS);
	}

	private void tell(CacheEvent event) {
		this.context.events().tell(this.cache.name(), event);
	}

	/**
	 * What comes next.
	 *
	 * @param <T> type of the value
	 */
	sealed interface Step<T extends @Nullable Object> {

		/** The caller gets a value. */
		record Done<T extends @Nullable Object>(T value) implements Step<T> {
		}

		/** The caller gets a failure. */
		record Failed<T extends @Nullable Object>(Throwable failure) implements Step<T> {
		}

		/** The caller loads; without an order for itself alone, past the cache. */
		record Load<T extends @Nullable Object>(Waiter.@Nullable ToLoad order) implements Step<T> {
		}

		/**
		 * The caller waits.
		 *
		 * @param reply what for
		 * @param waiter the caller if it waits for the load of another, which may take
		 * long; {@code null} if it waits for Redis only, whose reply is bounded
		 * @param next the next step, once the reply is there; blocks before
		 */
		record Wait<T extends @Nullable Object>(CompletableFuture<?> reply, @Nullable Waiter waiter,
				Supplier<Step<T>> next) implements Step<T> {
		}

	}

	/**
	 * The entry in an epoch.
	 *
	 * @param sight the epoch
	 * @param keys keys of the entry
	 * @param local copies of this JVM, or {@code null} if none are used
	 * @param stamp state of the copies before the entry is read
	 */
	private record EntryRef(Epochs.Sight sight, EntryKeys keys, @Nullable LocalCache local, long stamp) {

	}

}
