package io.github.lockboot.engine;

import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.LockCallback;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.QuickCallback;
import io.github.lockboot.StaleTokenException;
import io.github.lockboot.concurrent.Mutex;
import io.github.lockboot.engine.store.LockStore.LockAttempt;

/**
 * Locks that threads acquire for sections and as {@link java.util.concurrent.locks.Lock}:
 * a lock that the thread already holds needs no call to the store. Thread-safe.
 */
final class ReentrantLocks {

	private final LockAcquirer acquirer;

	/** Runs before a section begins. */
	private volatile Runnable admission = () -> {
	};

	/** Whether the observer is called after a section that has released locks. */
	private volatile BooleanSupplier observed = () -> false;

	private volatile Consumer<LockRequest> observer = (request) -> {
	};

	/** The entries of each thread. A thread that holds no lock has no entry. */
	private final ThreadLocal<@Nullable Entry> newest;

	ReentrantLocks(LockAcquirer acquirer, ThreadLocal<@Nullable Entry> newest) {
		this.acquirer = acquirer;
		this.newest = newest;
	}

	/** Acquire the locks of a request for the current thread, or throw an exception. */
	ReentrantHold enter(LockRequest request) {
		return enter(request, true);
	}

	private ReentrantHold enter(LockRequest request, boolean interruptible) {
		ReentrantHold hold = (request.names().size() > 1) ? enterAll(request, interruptible)
				: enterOne(request, interruptible);
		try {
			this.admission.run();
			return hold;
		}
		catch (RuntimeException | Error ex) {
			hold.discard();
			throw ex;
		}
	}

	private ReentrantHold enterOne(LockRequest request, boolean interruptible) {
		Entry entry = find(request.name());
		if (entry != null) {
			entry.reenter(request, interruptible);
		}
		else {
			entry = add(this.acquirer.acquire(request, interruptible));
		}
		return new ReentrantHold(List.of(entry), request);
	}

	/**
	 * Acquire the locks of a request, or return {@code null} if a lock stays busy for the
	 * wait time.
	 */
	@Nullable ReentrantHold tryEnter(LockRequest request, boolean interruptible) {
		try {
			return enter(request, interruptible);
		}
		catch (LockNotAcquiredException ex) {
			return null;
		}
	}

	/**
	 * Acquire the locks of a request as {@link java.util.concurrent.locks.Lock}. A lock
	 * that the thread acquired in this way and has lost is acquired again. A lock of a
	 * section stays until the section ends, and a lock that is held in the other mode,
	 * shared or exclusive, stays until it is unlocked in that mode.
	 */
	void lock(LockRequest request, boolean interruptible) {
		forgetLost(request);
		enter(request, interruptible);
		entries(request).forEach((entry) -> entry.ofLockView |= entry.depth == 1);
	}

	/**
	 * Return whether the current thread holds all locks. If all of them are lost, the
	 * thread need not unlock them.
	 */
	boolean isHeld(LockRequest request) {
		if (entries(request).noneMatch((entry) -> entry.hold.isHeld())) {
			forgetLost(request);
		}
		return present(request) != null && entries(request).allMatch((entry) -> entry.hold.isHeld());
	}

	private void forgetLost(LockRequest request) {
		entries(request).filter(
				(entry) -> entry.ofLockView && entry.hold.loss() != null && !entry.isEntered(!request.isExclusive()))
			.forEach(this::remove);
	}

	/**
	 * Return whether the current thread would wait for itself, because it shares a lock
	 * that it requests exclusively.
	 */
	boolean isUpgrade(LockRequest request) {
		return request.isExclusive()
				&& entries(request).anyMatch((entry) -> entry.hold.isShared() && entry.hold.isHeld());
	}

	/**
	 * Return the hold of the current thread, or {@code null} unless it has entered all
	 * locks of a request.
	 */
	@Nullable ReentrantHold present(LockRequest request) {
		List<Entry> entries = entries(request).filter((entry) -> entry.isEntered(request.isExclusive())).toList();
		return (entries.size() == request.names().size()) ? new ReentrantHold(entries, request) : null;
	}

	/** Return the hold of the current thread, or {@code null} if it has none. */
	@Nullable Hold hold(String lock) {
		Entry entry = find(lock);
		return (entry != null) ? entry.hold : null;
	}

	/** Return whether the current thread holds a lock. */
	boolean isAny() {
		return this.newest.get() != null;
	}

	/**
	 * Throw an exception unless the attempts of the current thread are still the owners
	 * in the store, by the leases in which the store issued their tokens.
	 */
	void ensureOwned(BiPredicate<LockAttempt, Long> owns) {
		for (Entry entry = this.newest.get(); entry != null; entry = entry.older) {
			entry.hold.ensureHeld();
			if (!owns.test(entry.hold.lease().attempt(), entry.hold.storeToken())) {
				throw entry.hold.overtaken("the store no longer knows it as the owner");
			}
		}
	}

	/**
	 * Set what runs for each caller that has acquired locks, and may throw an exception.
	 */
	void admission(Runnable admission) {
		this.admission = admission;
	}

	/**
	 * Set what is called on the thread of each section that has released locks, and in
	 * which case.
	 */
	void afterSection(BooleanSupplier observed, Consumer<LockRequest> observer) {
		this.observer = observer;
		this.observed = observed;
	}

	/**
	 * Throw an exception unless a resource admits all locks that the current thread
	 * holds. The resource is asked in the order of the names.
	 * @param admission throws a {@link StaleTokenException} for a hold that the resource
	 * refuses
	 */
	void ensureAdmitted(Consumer<Hold> admission) {
		List<Hold> holds = new ArrayList<>();
		for (Entry entry = this.newest.get(); entry != null; entry = entry.older) {
			holds.add(entry.hold);
		}
		holds.sort(Comparator.comparing(Hold::name));
		for (Hold hold : holds) {
			hold.ensureHeld();
			try {
				admission.accept(hold);
			}
			catch (StaleTokenException ex) {
				throw hold.overtaken(ex.latestToken());
			}
		}
	}

	private ReentrantHold enterAll(LockRequest request, boolean interruptible) {
		List<Entry> entries = new ArrayList<>();
		ReentrantHold hold = new ReentrantHold(entries, request);
		try {
			List<String> others = new ArrayList<>();
			for (String name : request.names()) {
				Entry entry = find(name);
				if (entry == null) {
					others.add(name);
				}
				else {
					entry.reenter(request, interruptible);
					entries.add(entry);
				}
			}
			if (others.size() == 1) {
				entries.add(add(this.acquirer.acquire(request.names(others), interruptible)));
			}
			else if (!others.isEmpty()) {
				Acquisition.acquireAll(this.acquirer, request.names(others), interruptible)
					.holds()
					.forEach((acquired) -> entries.add(add(acquired)));
			}
			return hold;
		}
		catch (RuntimeException | Error ex) {
			hold.release();
			throw ex;
		}
	}

	// ---- the entries of the current thread

	private Stream<Entry> entries(LockRequest request) {
		return request.names().stream().map(this::find).filter(Objects::nonNull).map(Objects::requireNonNull);
	}

	private @Nullable Entry find(String lock) {
		for (Entry entry = this.newest.get(); entry != null; entry = entry.older) {
			if (entry.hold.name().equals(lock)) {
				return entry;
			}
		}
		return null;
	}

	private Entry add(Hold hold) {
		Entry entry = new Entry(hold, this.newest.get());
		this.newest.set(entry);
		return entry;
	}

	private void remove(Entry entry) {
		Entry newest = this.newest.get();
		if (newest == entry) {
			if (entry.older == null) {
				this.newest.remove();
			}
			else {
				this.newest.set(entry.older);
			}
			return;
		}
		for (Entry each = newest; each != null; each = each.older) {
			if (each.older == entry) {
				each.older = entry.older;
				return;
			}
		}
	}

	/** Locks of one request that a thread has entered. Used by that thread only. */
	final class ReentrantHold {

		private final List<Entry> entries;

		private final LockRequest request;

		private ReentrantHold(List<Entry> entries, LockRequest request) {
			this.entries = entries;
			this.request = request;
		}

		/**
		 * Run a section, release the locks at its end, and apply the caller's policy to a
		 * lost lease.
		 */
		<T extends @Nullable Object, X extends Throwable> T run(OnLost onLost, LockCallback<T, X> section) throws X {
			SectionInterruption interruption = (onLost == OnLost.INTERRUPT) ? new SectionInterruption() : null;
			if (interruption != null) {
				this.entries.forEach((entry) -> entry.hold.onLost(interruption));
			}
			T result;
			try {
				result = section.call();
			}
			catch (Throwable ex) {
				LockLostException loss = end(interruption, onLost);
				if (loss != null && interruption != null && interruption.isReasonOf(ex)) {
					loss.addSuppressed(ex);
					throw loss;
				}
				if (loss != null && loss != ex) {
					ex.addSuppressed(loss);
				}
				throw ex;
			}
			LockLostException loss = end(interruption, onLost);
			if (loss != null) {
				throw loss;
			}
			return result;
		}

		private @Nullable LockLostException end(@Nullable SectionInterruption interruption, OnLost onLost) {
			if (interruption != null) {
				interruption.end();
				this.entries.stream()
					.filter((entry) -> entry.depth > 1)
					.forEach((entry) -> entry.hold.forget(interruption));
			}
			if (release() && ReentrantLocks.this.observed.getAsBoolean()) {
				ReentrantLocks.this.observer.accept(this.request);
			}
			return (onLost != OnLost.LOG) ? loss() : null;
		}

		@Nullable LockLostException loss() {
			return handle().loss();
		}

		/** Release the locks of a section that does not begin. */
		void discard() {
			this.entries.stream().filter((entry) -> entry.depth == 1).forEach((entry) -> entry.hold.holder().discard());
			release();
		}

		/**
		 * Release the locks that the thread has not also entered in another way, and
		 * return whether there was any.
		 */
		boolean release() {
			List<Hold> last = new ArrayList<>(this.entries.size());
			boolean confirmed = false;
			for (Entry entry : this.entries) {
				if (entry.exit(this.request)) {
					remove(entry);
					last.add(entry.hold);
					confirmed |= entry.ofLockView;
				}
			}
			if (last.size() == 1) {
				last.get(0).release(confirmed);
			}
			else if (!last.isEmpty()) {
				severalAsOne(last).release(confirmed);
			}
			this.entries.forEach((entry) -> entry.hold.loseIfOver());
			return !last.isEmpty();
		}

		private LockHandle handle() {
			return (this.entries.size() == 1) ? this.entries.get(0).hold
					: severalAsOne(this.entries.stream().map((entry) -> entry.hold).toList());
		}

		private MultiLockHandle severalAsOne(List<Hold> holds) {
			return new MultiLockHandle(ReentrantLocks.this.acquirer.engine().notifier(), holds);
		}

	}

	/** A hold of a thread, with counts. Used by that thread only. */
	static final class Entry {

		private final Hold hold;

		private @Nullable Entry older;

		private int depth = 1;

		private int exclusiveDepth;

		/** Whether the lock was acquired as {@link java.util.concurrent.locks.Lock}. */
		private boolean ofLockView;

		private Entry(Hold hold, @Nullable Entry older) {
			this.hold = hold;
			this.older = older;
			this.exclusiveDepth = hold.isShared() ? 0 : 1;
		}

		/**
		 * Return whether the lock was entered exclusively, or shared, and not left since.
		 */
		private boolean isEntered(boolean exclusive) {
			return (exclusive ? this.exclusiveDepth : this.depth - this.exclusiveDepth) > 0;
		}

		private void reenter(LockRequest request, boolean interruptible) {
			if (interruptible && Thread.currentThread().isInterrupted()) {
				throw new LockInterruptedException(request.name());
			}
			this.hold.ensureHeld();
			if (request.isExclusive()) {
				Assert.state(!this.hold.isShared(),
						() -> "Lock '" + this.hold.name() + "' can't be upgraded: this thread shares the lock"
								+ " and would wait for itself. Acquire the lock exclusively from the start");
				this.exclusiveDepth++;
			}
			this.depth++;
		}

		/**
		 * Leave once, and return whether this was the last exit. The last exclusive exit
		 * lets others share the lock.
		 */
		private boolean exit(LockRequest request) {
			this.depth--;
			if (request.isExclusive()) {
				this.exclusiveDepth--;
			}
			if (this.depth > 0 && this.exclusiveDepth == 0) {
				this.hold.downgrade();
			}
			return this.depth == 0;
		}

	}

	/**
	 * Interrupts the thread of a section when it loses its lock, and never after the
	 * section.
	 */
	private static final class SectionInterruption implements QuickCallback {

		private final Mutex mutex = new Mutex();

		private final Thread thread = Thread.currentThread();

		private boolean ended;

		private boolean interrupted;

		@Override
		public void run() {
			this.mutex.run(() -> {
				if (!this.ended && !this.interrupted) {
					this.interrupted = true;
					this.thread.interrupt();
				}
			});
		}

		/** End the section, on the thread of the section. */
		void end() {
			this.mutex.run(() -> {
				this.ended = true;
				if (this.interrupted) {
					// the flag of this interruption: the caller receives an exception
					// instead
					Thread.interrupted();
				}
			});
		}

		/**
		 * Return whether an exception of the section means only that this class has
		 * interrupted the thread. A different exception that the section throws after the
		 * interrupt does not count.
		 */
		boolean isReasonOf(Throwable ex) {
			return this.interrupted && (ex instanceof InterruptedException || ex instanceof LockInterruptedException
					|| ex instanceof ClosedByInterruptException);
		}

	}

}
