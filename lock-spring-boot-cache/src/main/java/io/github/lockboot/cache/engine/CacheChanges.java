package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.engine.TypedCache.SealedEntry;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.transaction.Transactions;
import io.github.lockboot.cache.transaction.Transactions.Change;
import io.github.lockboot.concurrent.FutureWait;

/**
 * Evicts and puts: in this JVM first, then in Redis, then in this JVM again, so that each
 * later call sees the change. An eviction that fails is retried until it succeeds.
 * Meanwhile this JVM does not use the entry.
 */
final class CacheChanges {

	private static final Log logger = LogFactory.getLog(CacheChanges.class);

	/**
	 * Number of pending evictions above which a whole cache is evicted instead of more of
	 * its entries.
	 */
	private static final int MAX_PENDING = 10_000;

	private static final Duration RETRY_DELAY = Duration.ofMillis(500);

	private final Epochs epochs;

	private final SingleFlights flights;

	private final Map<String, LocalCache> locals;

	private final CacheListener listener;

	private final Transactions transactions;

	private final ConcurrentMap<Change, Eviction> pending = new ConcurrentHashMap<>();

	private final AtomicLong retries = new AtomicLong();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	CacheChanges(Epochs epochs, SingleFlights flights, Map<String, LocalCache> locals, CacheListener listener,
			Transactions transactions) {
		this.epochs = epochs;
		this.flights = flights;
		this.locals = locals;
		this.listener = listener;
		this.transactions = transactions;
	}

	Transactions transactions() {
		return this.transactions;
	}

	/** Evict entries, and return a reply for each; an eviction that fails is retried. */
	List<CompletableFuture<?>> evict(List<Eviction> evictions) {
		evictions.forEach((eviction) -> forget(eviction.target));
		Map<Change, @Nullable Eviction> earlier = new HashMap<>();
		List<Eviction> merged = evictions.stream()
			.map((eviction) -> eviction.after(earlier.computeIfAbsent(eviction.target, this.pending::get)))
			.toList();
		List<CompletableFuture<?>> replies = send(merged);
		List<CompletableFuture<?>> ends = new ArrayList<>();
		for (int i = 0; i < merged.size(); i++) {
			Eviction eviction = merged.get(i);
			ends.add(replies.get(i).whenComplete((done, failure) -> {
				// while an earlier eviction that failed still counts
				forget(eviction.target);
				if (failure != null) {
					failed(eviction);
				}
				else {
					succeeded(eviction.target, earlier.get(eviction.target));
				}
			}));
		}
		return ends;
	}

	/**
	 * Put an entry; an empty one is not stored, and evicts. If the put fails, the entry
	 * is evicted: the old value must not be served for the new one.
	 * @return whether the entry was stored
	 */
	CompletableFuture<Boolean> put(Change target, String key, SealedEntry entry, @Nullable Long version) {
		String cache = target.cache();
		forget(target);
		Eviction earlier = this.pending.get(target);
		return send(cache, key, new HashMap<>(),
				(keys) -> this.flights.store().put(cache, keys, entry.envelope().bytes(), entry.lifeMillis(), version))
			.get()
			.whenComplete((stored, failure) -> {
				forget(target);
				if (failure != null) {
					failed(new Eviction(target, 0));
				}
				else if (stored || version == null) {
					// without memory, or while its slot moves, Redis has evicted the
					// entry
					this.listener.onEvent(cache, stored ? CacheEvent.PUT : CacheEvent.EVICTED);
					if (earlier != null && earlier.graceMillis == 0) {
						this.pending.remove(target, earlier);
					}
				}
			});
	}

	/**
	 * Put an entry, unless there is one. If that fails, nothing is evicted: the entry may
	 * be another caller's.
	 * @param rejected beginning of an entry that counts as none
	 * @return the present entry, or {@code null} if the new one was stored
	 */
	CompletableFuture<byte @Nullable []> putIfAbsent(Change target, String key, SealedEntry entry, byte[] rejected) {
		String cache = target.cache();
		if (isPending(cache, key)) {
			return CompletableFuture
				.failedFuture(new IllegalStateException("it has not yet answered to an eviction of this entry"));
		}
		forget(target);
		return this.epochs.request(cache)
			.thenCompose((epoch) -> this.flights.store()
				.putIfAbsent(cache, this.flights.store().keys(cache, epoch, key), entry.envelope().bytes(),
						entry.lifeMillis(), rejected))
			.whenComplete((present, failure) -> {
				forget(target);
				if (failure == null && present == null) {
					this.listener.onEvent(cache, CacheEvent.PUT);
				}
			});
	}

	private void forget(Change target) {
		LocalCache local = this.locals.get(target.cache());
		String key = target.key();
		if (key != null) {
			String data = this.flights.store().keys(target.cache(), this.epochs.last(target.cache()), key).data();
			this.flights.detach(data);
			if (local != null) {
				local.drop(data);
			}
		}
		else if (local != null && target.isAll()) {
			local.dropAll();
		}
	}

	private List<CompletableFuture<?>> send(List<Eviction> evictions) {
		Map<String, CompletableFuture<Long>> requested = new HashMap<>();
		List<Supplier<? extends CompletableFuture<?>>> sent = new ArrayList<>();
		for (Eviction eviction : evictions) {
			String cache = eviction.target.cache();
			String key = eviction.target.key();
			if (key != null) {
				sent.add(send(cache, key, requested,
						(keys) -> this.flights.store().evict(cache, keys, eviction.graceMillis)));
			}
			else {
				Integer tag = eviction.target.tag();
				CompletableFuture<Long> cleared = (tag != null) ? this.epochs.evict(cache, tag)
						: this.epochs.clear(cache);
				sent.add(() -> cleared);
			}
		}
		return sent.stream().<CompletableFuture<?>>map(Supplier::get).toList();
	}

	/**
	 * Send a command under the last known epoch: under an earlier one the command would
	 * not affect the entries that others read. So the epoch is requested after the
	 * command, and the command is sent again if the epoch is different.
	 * @param requested epochs that are requested after the commands, by cache
	 * @return requests the epoch, and returns the reply
	 */
	private Supplier<CompletableFuture<Boolean>> send(String cache, String key,
			Map<String, CompletableFuture<Long>> requested, Function<EntryKeys, CompletableFuture<Boolean>> command) {
		long known = this.epochs.last(cache);
		CompletableFuture<Boolean> first = (known != 0) ? command.apply(this.flights.store().keys(cache, known, key))
				: CompletableFuture.completedFuture(false);
		return () -> requested.computeIfAbsent(cache, this.epochs::request)
			.thenCombine(first, (current, done) -> current)
			.thenCompose((current) -> (current == known) ? first
					: command.apply(this.flights.store().keys(cache, current, key)));
	}

	/**
	 * Return whether an eviction of an entry has failed and is still retried, or that of
	 * a tag, which may be its tag.
	 */
	boolean isPending(String cache, String key) {
		return !this.pending.isEmpty() && (this.pending.containsKey(new Change(cache, key)) || this.pending.keySet()
			.stream()
			.anyMatch((change) -> change.key() == null && change.cache().equals(cache)));
	}

	private void failed(Eviction eviction) {
		String cache = eviction.target.cache();
		this.listener.onEvent(cache, CacheEvent.REDIS_FAILED);
		this.listener.onEvent(cache, CacheEvent.EVICTION_RETRIED);
		if (this.pending.size() < MAX_PENDING || eviction.target.isAll()) {
			addPending(eviction);
		}
		else {
			addPending(new Eviction(new Change(cache, null), 0));
			this.pending.keySet().removeIf((target) -> target.cache().equals(cache) && !target.isAll());
		}
		scheduleRetry();
	}

	private void addPending(Eviction eviction) {
		this.pending.merge(eviction.target,
				new Eviction(eviction.target, eviction.graceMillis, this.retries.incrementAndGet()),
				(earlier, added) -> added.after(earlier));
	}

	/** Forget an eviction, but not one that was added after this one was sent. */
	private void succeeded(Change target, @Nullable Eviction retry) {
		this.listener.onEvent(target.cache(), CacheEvent.EVICTED);
		if (retry != null) {
			this.pending.remove(target, retry);
		}
	}

	private void scheduleRetry() {
		if (!this.pending.isEmpty() && this.scheduled.compareAndSet(false, true)) {
			this.flights.store().clock().schedule(RETRY_DELAY, () -> tryAgain().thenRun(() -> {
				this.scheduled.set(false);
				scheduleRetry();
			}));
		}
	}

	/** A try that throws must neither prevent the next one nor the end of closing. */
	private CompletableFuture<@Nullable Void> tryAgain() {
		return CompletableFuture.completedFuture(null).thenCompose((none) -> retryAll()).exceptionally((failure) -> {
			logger.warn("Evicts could not be sent again", failure);
			return null;
		});
	}

	private CompletableFuture<@Nullable Void> retryAll() {
		List<Eviction> all = new ArrayList<>(this.pending.values());
		// the latest changes are the most likely to be read
		all.sort(Comparator.comparingLong(Eviction::number).reversed());
		return retry(all);
	}

	/** Retry some evictions, and the rest after their replies. */
	private CompletableFuture<@Nullable Void> retry(List<Eviction> all) {
		List<Eviction> some = all.subList(0, Math.min(all.size(), CacheStore.MAX_BATCH));
		List<Eviction> valid = some.stream().filter((retry) -> retry.equals(this.pending.get(retry.target))).toList();
		List<CompletableFuture<?>> replies = send(valid);
		for (int i = 0; i < valid.size(); i++) {
			Eviction retry = valid.get(i);
			replies.get(i).thenRun(() -> {
				forget(retry.target);
				succeeded(retry.target, retry);
			});
		}
		return CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new))
			.handle((done, failure) -> all.subList(some.size(), all.size()))
			.thenCompose((rest) -> rest.isEmpty() ? CompletableFuture.completedFuture(null) : retry(rest));
	}

	/** Retry once more, and warn of evictions that are lost. */
	void close() {
		if (this.pending.isEmpty()) {
			return;
		}
		FutureWait.await(tryAgain(), this.flights.store().replyTimeout());
		Map<String, Long> lost = this.pending.keySet()
			.stream()
			.collect(Collectors.groupingBy(Change::cache, TreeMap::new, Collectors.counting()));
		if (!lost.isEmpty()) {
			logger
				.warn("Redis did not reply to evicts before this application was closed, so that other instances serve"
						+ " old values for their ttl; how many of which cache: " + lost);
		}
	}

	/**
	 * An eviction.
	 *
	 * @param graceMillis how long entries that are loaded from now on are kept at most, 0
	 * for no such limit
	 * @param number distinguishes a retried eviction from a later one of the same entry
	 */
	record Eviction(Change target, long graceMillis, long number) {

		Eviction(Change target, long graceMillis) {
			this(target, graceMillis, 0);
		}

		/** Return what a transaction must not read before it. */
		Change scope() {
			return this.target.scope();
		}

		/** Return this eviction with the grace of an earlier one if that is longer. */
		private Eviction after(@Nullable Eviction earlier) {
			return (earlier == null) ? this
					: new Eviction(this.target, Math.max(this.graceMillis, earlier.graceMillis), this.number);
		}

	}

}
