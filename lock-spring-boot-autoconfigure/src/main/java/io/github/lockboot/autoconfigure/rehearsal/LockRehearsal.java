package io.github.lockboot.autoconfigure.rehearsal;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.Internal;
import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.support.RehearsedStore;

/**
 * A rehearsal of lost locks, for staging: it releases a share of all locks by force as
 * soon as they are acquired, delays some replies of the store, and counts the annotated
 * methods whose transaction begins or commits after the loss of their lock, although they
 * never asked whether they still hold it. A bean of this type exists if
 * {@code lock.rehearsal.lose} is set. Thread-safe.
 *
 * @since 1.0.0
 */
public final class LockRehearsal implements LockListener, RehearsedStore.Delay {

	private static final Log logger = LogFactory.getLog(LockRehearsal.class);

	/** One of this number of replies is late. */
	private static final int LATE_OF = 10;

	private static final int LATEST_MILLIS = 100;

	private static final long LONGEST_NOTICE_MILLIS = 2000;

	private final int sections;

	private final Supplier<LockOperations> locks;

	private final Executor executor;

	/** Sections of each group, and which of the next ones loses its lock. */
	private final Map<String, int[]> groups = new ConcurrentHashMap<>();

	private final Map<String, Long> ignored = new ConcurrentHashMap<>();

	/**
	 * Create a rehearsal.
	 * @param sections one of this number of sections of each group loses its lock
	 */
	LockRehearsal(int sections, Supplier<LockOperations> locks, Executor executor) {
		this.sections = sections;
		this.locks = locks;
		this.executor = executor;
	}

	/**
	 * Return the methods that ignored the loss of their lock, and how often.
	 * @return the number of sections by method
	 */
	public Map<String, Long> ignoredLosses() {
		return new TreeMap<>(this.ignored);
	}

	/** Count a section that ignored its loss. */
	void ignored(String method, String what) {
		if (this.ignored.merge(method, 1L, Long::sum) == 1) {
			logger.warn(method + " ignored the loss of its lock: its transaction " + what + " after the loss was told."
					+ " Call LockOperations.ensureHeld before a write. Further sections of the method are counted");
		}
	}

	@Internal
	@Override
	public <T> CompletionStage<T> delay(CompletionStage<T> reply) {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		int millis = random.nextInt(LATEST_MILLIS);
		return (random.nextInt(LATE_OF) > 0) ? reply : reply
			.thenCompose((value) -> new CompletableFuture<T>().completeOnTimeout(value, millis, TimeUnit.MILLISECONDS));
	}

	@Override
	public LockListener onRequested(LockRequest request) {
		Thread caller = Thread.currentThread();
		return new LockListener() {

			@Override
			public void onAcquired(LockRequest acquired, LockHandle handle, Duration waited) {
				if (isChosen((acquired.group() != null) ? acquired.group() : "")) {
					endLease(acquired.name(), handle, Thread.currentThread() == caller);
				}
			}

		};
	}

	/** Return whether a section loses its lock: exactly one in each block of sections. */
	private boolean isChosen(String group) {
		boolean[] chosen = new boolean[1];
		this.groups.compute(group, (name, present) -> {
			int[] block = (present != null && present[0] < this.sections) ? present
					: new int[] { 0, ThreadLocalRandom.current().nextInt(this.sections) };
			chosen[0] = block[0] == block[1];
			block[0]++;
			return block;
		});
		return chosen[0] && !group.equals("rerun");
	}

	/**
	 * Release a lock by force. A thread that waits for its section begins it after the
	 * loss was told.
	 */
	private void endLease(String name, LockHandle handle, boolean waits) {
		logger.info("Rehearsal: lock '" + name + "' is released under its holder");
		CountDownLatch told = new CountDownLatch(1);
		handle.onLost(told::countDown);
		this.executor.execute(() -> {
			try {
				this.locks.get().forceRelease(name);
			}
			catch (LockException ex) {
				logger.debug("Rehearsal: lock '" + name + "' was not released", ex);
			}
		});
		try {
			if (waits) {
				told.await(LONGEST_NOTICE_MILLIS, TimeUnit.MILLISECONDS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
