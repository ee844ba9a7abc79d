package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;

/**
 * Locks that threads acquire by sections and as {@link java.util.concurrent.locks.Lock}:
 * a lock that a thread already holds costs no call. A thread that holds nothing has no
 * entry. Thread-safe.
 */
final class ReentrantLocks {

	private final LockAcquirer acquirer;

	private final ThreadLocal<@Nullable Entry> newest;

	ReentrantLocks(LockAcquirer acquirer, ThreadLocal<@Nullable Entry> newest) {
		this.acquirer = acquirer;
		this.newest = newest;
	}

	/** Let the present thread hold what it asks for, or throw. */
	ReentrantHold enter(LockRequest request) {
		if (request.names().size() > 1) {
			return enterAll(request);
		}
		Entry entry = find(request.name());
		if (entry != null) {
			entry.reenter(request);
		}
		else {
			entry = add(this.acquirer.acquire(request));
		}
		return new ReentrantHold(this, List.of(entry), request);
	}

	/**
	 * Let the present thread hold what it asks for; {@code null} if a lock stayed busy
	 * for the wait time.
	 */
	@Nullable ReentrantHold tryEnter(LockRequest request) {
		try {
			return enter(request);
		}
		catch (LockNotAcquiredException ex) {
			return null;
		}
	}

	/**
	 * Let the present thread hold what it asks for as
	 * {@link java.util.concurrent.locks.Lock}. A lock that it held so and has lost it
	 * acquires anew; one of a section stays until that ends, and one that it holds in the
	 * other way, shared or exclusively, until it is unlocked so.
	 * @return whether it holds it; if not, a lock stayed busy for the wait time
	 */
	boolean tryLock(LockRequest request) {
		entries(request).filter(
				(entry) -> entry.ofLockView && entry.hold.loss() != null && !entry.isEntered(!request.isExclusive()))
			.forEach(this::remove);
		if (tryEnter(request) == null) {
			return false;
		}
		entries(request).forEach(Entry::enteredByLockView);
		return true;
	}

	/**
	 * Whether the present thread would wait for itself, because it shares a lock that it
	 * asks for exclusively.
	 */
	boolean isUpgrade(LockRequest request) {
		return request.isExclusive()
				&& entries(request).anyMatch((entry) -> entry.hold.isShared() && entry.hold.isHeld());
	}

	/** Return what the present thread holds, {@code null} if it did not enter it all. */
	@Nullable ReentrantHold present(LockRequest request) {
		List<Entry> entries = entries(request).filter((entry) -> entry.isEntered(request.isExclusive())).toList();
		return (entries.size() == request.names().size()) ? new ReentrantHold(this, entries, request) : null;
	}

	private Stream<Entry> entries(LockRequest request) {
		return request.names().stream().map(this::find).filter(Objects::nonNull).map(Objects::requireNonNull);
	}

	private ReentrantHold enterAll(LockRequest request) {
		List<Entry> entries = new ArrayList<>();
		ReentrantHold hold = new ReentrantHold(this, entries, request);
		try {
			List<String> others = reenter(request, entries);
			if (others.size() == 1) {
				entries.add(add(this.acquirer.acquire(request.names(others))));
			}
			else if (!others.isEmpty()) {
				MultiLock.acquire(this.acquirer, request.names(others))
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

	/** Enter again what the thread holds; the names of the others are returned. */
	private List<String> reenter(LockRequest request, List<Entry> entries) {
		List<String> others = new ArrayList<>();
		for (String name : request.names()) {
			Entry entry = find(name);
			if (entry == null) {
				others.add(name);
			}
			else {
				entry.reenter(request);
				entries.add(entry);
			}
		}
		return others;
	}

	LockHandle handleOf(List<Hold> holds) {
		return new MultiLockHandle(this.acquirer.engine().notifier(), holds);
	}

	// ---- the entries of the present thread

	@Nullable Entry find(String lock) {
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

	/**
	 * Leave an entry once. The last one that wanted the lock exclusively lets others
	 * share it from then on.
	 * @return whether that was the last time: then the lock is to be given back
	 */
	boolean exit(Entry entry, LockRequest request) {
		entry.depth--;
		if (request.isExclusive()) {
			entry.exclusiveDepth--;
		}
		if (entry.depth == 0) {
			remove(entry);
		}
		else if (entry.exclusiveDepth == 0) {
			entry.hold.downgrade();
		}
		return entry.depth == 0;
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

	/** A hold of a thread, with counts. Used by that thread only. */
	static final class Entry {

		private final Hold hold;

		private @Nullable Entry older;

		private int depth = 1;

		private int exclusiveDepth;

		/** Whether it began as {@link java.util.concurrent.locks.Lock}. */
		private boolean ofLockView;

		private Entry(Hold hold, @Nullable Entry older) {
			this.hold = hold;
			this.older = older;
			this.exclusiveDepth = hold.isShared() ? 0 : 1;
		}

		Hold hold() {
			return this.hold;
		}

		/** Whether it was entered exclusively, or sharing, and not left since. */
		private boolean isEntered(boolean exclusive) {
			return (exclusive ? this.exclusiveDepth : this.depth - this.exclusiveDepth) > 0;
		}

		private void enteredByLockView() {
			this.ofLockView |= this.depth == 1;
		}

		private void reenter(LockRequest request) {
			if (Thread.currentThread().isInterrupted()) {
				throw new LockInterruptedException(request.name());
			}
			this.hold.ensureHeld();
			if (request.isExclusive()) {
				Assert.state(!this.hold.isShared(),
						() -> "Lock '" + this.hold.name() + "' can't be upgraded: this thread shares it, and would wait"
								+ " for itself to have it exclusively; take it exclusively from the start");
				this.exclusiveDepth++;
			}
			this.depth++;
		}

	}

}
