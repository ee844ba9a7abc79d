package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.pastalab.fray.core.scheduler.PCTScheduler;
import org.pastalab.fray.junit.junit5.FrayTestExtension;
import org.pastalab.fray.junit.junit5.annotations.FrayTest;

import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheInterruptedException;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.transaction.Transactions;
import io.github.lockboot.engine.SteppedClock;
import io.github.lockboot.simulation.StartedThreads;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Threads that read and evict one entry of the cache, in random orders of their steps, by
 * Fray: two JVMs with their flights, on an entry in memory. Fray also fails if threads
 * wait for each other. Skipped without the profile {@code fray}.
 */
@NullMarked
@ExtendWith(FrayTestExtension.class)
class CacheThreadOrderTests {

	private static final int ORDERS = 100;

	private static final CacheSpec<Long> SPEC = CacheSpec.of("c", Long.class);

	@FrayTest(iterations = ORDERS, scheduler = PCTScheduler.class, abortThreadExecutionAfterMainExit = true)
	void callersOfTwoJvmsLoadOnce() throws Exception {
		Row row = new Row();
		row.start(() -> row.read(row.one));
		row.start(() -> row.read(row.one));
		row.start(() -> row.read(row.other));
		row.awaitEndsAndNothingIsLeft();
		assertThat(row.loads).hasValue(1);
	}

	@FrayTest(iterations = ORDERS, scheduler = PCTScheduler.class, abortThreadExecutionAfterMainExit = true)
	void noCallerGetsAValueFromBeforeAnEvictThatHasReturned() throws Exception {
		Row row = new Row();
		row.start(() -> row.read(row.one));
		row.start(() -> row.read(row.one));
		row.start(() -> row.read(row.other));
		row.start(() -> {
			row.change(row.other);
			return row.read(row.one);
		});
		row.awaitEndsAndNothingIsLeft();
	}

	@FrayTest(iterations = ORDERS, scheduler = PCTScheduler.class, abortThreadExecutionAfterMainExit = true)
	void anInterruptedCallerLeavesTheLoadToAnother() throws Exception {
		Row row = new Row();
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread first = row.start(() -> {
			try {
				row.read(row.one);
			}
			catch (InterruptedException | CacheInterruptedException ex) {
				// not the load of the others
			}
			return interrupted.join(); // Fray can't interrupt a thread that has ended
		});
		row.start(() -> row.read(row.one));
		row.start(() -> row.read(row.other));
		first.interrupt();
		interrupted.complete(true);
		row.awaitEndsAndNothingIsLeft();
	}

	/** A row of a database, which two JVMs read through their caches. */
	private static final class Row extends StartedThreads {

		final Entry entry = new Entry();

		final CacheTemplate one = cache("one");

		final CacheTemplate other = cache("other");

		final AtomicInteger loads = new AtomicInteger();

		private final AtomicInteger version = new AtomicInteger();

		/** The last version whose evict has returned. */
		private final AtomicInteger evicted = new AtomicInteger();

		private CacheTemplate cache(String instance) {
			return new CacheTemplate(new EntryStore(instance, this.entry), (name) -> CacheSettings.defaults(),
					new SimulatedCache.NumberCodec(1), Transactions.NONE, List.of(), Runnable::run, Runnable::run,
					UnaryOperator.identity()) {
			};
		}

		@Nullable Void read(CacheTemplate cache) throws InterruptedException {
			long least = this.evicted.get();
			assertThat(cache.get(SPEC, "k", this::load)).isGreaterThanOrEqualTo(least);
			return null;
		}

		private Long load() throws InterruptedException {
			this.loads.incrementAndGet();
			long loaded = this.version.get();
			Thread.yield();
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			return loaded;
		}

		void change(CacheTemplate cache) {
			int changed = this.version.incrementAndGet();
			cache.evict(CacheEviction.of("c", "k"));
			this.evicted.set(changed);
		}

		void awaitEndsAndNothingIsLeft() throws InterruptedException {
			awaitEnds();
			for (CacheTemplate each : List.of(this.one, this.other)) {
				assertThat(SimulatedCache.left(each)).doesNotContainKeys("flights", "pushes", "evicts");
			}
		}

	}

	/** What Redis knows of the entry. */
	private static final class Entry {

		private final ReentrantLock mutex = new ReentrantLock();

		private final Map<String, Consumer<byte @Nullable []>> waiting = new HashMap<>();

		private byte @Nullable [] value;

		private @Nullable String lease;

		/** Execute a command at once, and reply on a thread of its own. */
		<T extends @Nullable Object> CompletableFuture<T> reply(Supplier<T> command) {
			CompletableFuture<T> reply = new CompletableFuture<>();
			this.mutex.lock();
			try {
				T result = command.get();
				new Thread(() -> reply.complete(result)).start();
			}
			finally {
				this.mutex.unlock();
			}
			return reply;
		}

		/** End the load, and push its result. */
		private boolean end(byte @Nullable [] stored) {
			boolean ended = this.value != null || this.lease != null;
			this.value = stored;
			this.lease = null;
			this.waiting.values().forEach((push) -> new Thread(() -> push.accept(stored)).start());
			this.waiting.clear();
			return ended;
		}

	}

	/** The store of one JVM. */
	private static final class EntryStore extends CacheStore {

		private final Entry entry;

		private @Nullable CachePushes pushes;

		EntryStore(String instance, Entry entry) {
			super((scripts) -> {
				throw new IllegalStateException("No Redis");
			}, instance, new CacheKeys("cache:"), Duration.ofSeconds(1), Duration.ofSeconds(5), new SteppedClock());
			this.entry = entry;
		}

		@Override
		public void listen(CachePushes pushes) {
			this.pushes = pushes;
		}

		@Override
		public CompletableFuture<Long> epoch(String cache, long seen) {
			return this.entry.reply(() -> 1L);
		}

		@Override
		public CompletableFuture<byte @Nullable []> read(EntryKeys keys) {
			return this.entry.reply(() -> this.entry.value);
		}

		@Override
		public CompletableFuture<AcquireReply> acquire(EntryKeys keys, Acquisition wanted) {
			return this.entry.reply(() -> {
				byte[] value = this.entry.value;
				if (value != null && (wanted.rejected().length == 0
						|| !Arrays.equals(wanted.rejected(), Arrays.copyOf(value, wanted.rejected().length)))) {
					return new AcquireReply.Present(value);
				}
				if (this.entry.lease == null) {
					this.entry.lease = wanted.attempt();
					return new AcquireReply.Leased(wanted.attempt(), null, new byte[0]);
				}
				CachePushes pushes = Objects.requireNonNull(this.pushes);
				this.entry.waiting.put(wanted.attempt(), (stored) -> pushes.ended(wanted.attempt(), stored));
				return new AcquireReply.Taken(10_000, true);
			});
		}

		@Override
		public CompletableFuture<Boolean> store(EntryKeys keys, AcquireReply.Leased lease, byte[] stored,
				long lifeMillis) {
			return this.entry.reply(() -> lease.attempt().equals(this.entry.lease) && this.entry.end(stored));
		}

		@Override
		public CompletableFuture<Boolean> abandon(EntryKeys keys, String attempt, long pauseMillis) {
			return this.entry.reply(() -> attempt.equals(this.entry.lease) && this.entry.end(null));
		}

		@Override
		public CompletableFuture<Boolean> renew(EntryKeys keys, String attempt, long leaseMillis) {
			return this.entry.reply(() -> attempt.equals(this.entry.lease));
		}

		@Override
		public CompletableFuture<Boolean> evict(String cache, EntryKeys keys, long graceMillis) {
			return this.entry.reply(() -> this.entry.end(null));
		}

	}

}
