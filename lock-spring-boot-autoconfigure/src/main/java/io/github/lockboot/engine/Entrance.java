package io.github.lockboot.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;

/**
 * How threads come to hold locks: without the store those that they hold already, and
 * several at once. Thread-safe.
 */
final class Entrance {

	private final LockEngine engine;

	private final ThreadHolds threadHolds;

	private final OneLock oneLock;

	private final Calls calls;

	Entrance(LockEngine engine, ThreadHolds threadHolds, OneLock oneLock, Calls calls) {
		this.engine = engine;
		this.threadHolds = threadHolds;
		this.oneLock = oneLock;
		this.calls = calls;
	}

	/**
	 * Let the present thread hold what it asks for.
	 * @param request which lock or locks, and how
	 * @return to be left by the thread
	 * @throws LockNotAcquiredException if a lock stayed busy for the wait time
	 */
	Stay enter(LockRequest request) {
		if (request.names().size() > 1) {
			return enterAll(request);
		}
		ThreadHolds.Entry entry = this.threadHolds.find(request.name());
		if (entry != null) {
			entry.reenter(request);
		}
		else {
			entry = this.threadHolds.enter(this.oneLock.acquire(request));
		}
		return new Stay.One(this.threadHolds, entry, request);
	}

	/**
	 * Let the present thread hold what it asks for, or return {@code null}.
	 * @param request which lock or locks, and how
	 * @return to be left by the thread, or {@code null} if a lock stayed busy for the
	 * wait time
	 */
	@Nullable Stay tryEnter(LockRequest request) {
		if (request.names().size() > 1) {
			return tryEnterAll(request);
		}
		ThreadHolds.Entry entry = this.threadHolds.find(request.name());
		if (entry != null) {
			entry.reenter(request);
		}
		else {
			Hold hold = this.oneLock.tryAcquire(request);
			if (hold == null) {
				return null;
			}
			entry = this.threadHolds.enter(hold);
		}
		return new Stay.One(this.threadHolds, entry, request);
	}

	/**
	 * Let the present thread hold what it asks for as
	 * {@link java.util.concurrent.locks.Lock}. What it holds so and has lost it takes
	 * anew.
	 * @param request which lock or locks, and how
	 * @return whether it holds it; if not, a lock stayed busy for the wait time
	 */
	boolean tryLock(LockRequest request) {
		request.names().forEach(this.threadHolds::forgetLost);
		if (tryEnter(request) == null) {
			return false;
		}
		entries(request).forEach(ThreadHolds.Entry::enteredByLockView);
		return true;
	}

	/**
	 * Whether the present thread would wait for itself, because it shares a lock that it
	 * asks for exclusively.
	 * @param request which lock or locks, and how
	 * @return true if so
	 */
	boolean isUpgrade(LockRequest request) {
		return request.isExclusive()
				&& entries(request).anyMatch((entry) -> entry.hold().isShared() && entry.hold().isHeld());
	}

	private Stream<ThreadHolds.Entry> entries(LockRequest request) {
		return request.names()
			.stream()
			.map(this.threadHolds::find)
			.filter(Objects::nonNull)
			.map(Objects::requireNonNull);
	}

	/**
	 * Return what the present thread holds.
	 * @param request which lock or locks, and as what they were entered
	 * @return to be left by the thread; {@code null} if it did not enter each of them
	 */
	@Nullable Stay present(LockRequest request) {
		if (request.names().size() > 1) {
			return allPresent(request);
		}
		ThreadHolds.Entry entry = this.threadHolds.find(request.name());
		return (entry != null && entry.isEntered(request.isExclusive()))
				? new Stay.One(this.threadHolds, entry, request) : null;
	}

	private @Nullable Stay allPresent(LockRequest request) {
		List<ThreadHolds.Entry> entries = entries(request).filter((entry) -> entry.isEntered(request.isExclusive()))
			.toList();
		return (entries.size() == request.names().size())
				? new Stay.Several(this.engine, this.threadHolds, entries, request) : null;
	}

	private Stay enterAll(LockRequest request) {
		List<ThreadHolds.Entry> entries = new ArrayList<>();
		Stay stay = new Stay.Several(this.engine, this.threadHolds, entries, request);
		try {
			List<String> others = reenter(request, entries);
			if (others.size() == 1) {
				entries.add(this.threadHolds.enter(this.oneLock.acquire(request.names(others))));
			}
			else if (!others.isEmpty()) {
				MultiLock.acquire(this.engine, this.calls, request.names(others))
					.holds()
					.forEach((hold) -> entries.add(this.threadHolds.enter(hold)));
			}
			return stay;
		}
		catch (RuntimeException | Error ex) {
			stay.leave();
			throw ex;
		}
	}

	private @Nullable Stay tryEnterAll(LockRequest request) {
		try {
			return enterAll(request);
		}
		catch (LockNotAcquiredException ex) {
			return null;
		}
	}

	/** Enter again what the thread holds; the names of the others are returned. */
	private List<String> reenter(LockRequest request, List<ThreadHolds.Entry> entries) {
		List<String> others = new ArrayList<>();
		for (String name : request.names()) {
			ThreadHolds.Entry entry = this.threadHolds.find(name);
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

}
