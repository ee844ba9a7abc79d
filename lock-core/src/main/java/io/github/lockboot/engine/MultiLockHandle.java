package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockLostException;
import io.github.lockboot.QuickCallback;

/** Holds of one or several locks as one. */
final class MultiLockHandle implements LockHandle {

	private final LockNotifier notifier;

	private final List<Hold> holds;

	MultiLockHandle(LockNotifier notifier, List<Hold> holds) {
		this.notifier = notifier;
		this.holds = List.copyOf(holds);
	}

	@Override
	public String name() {
		return this.holds.stream().map(Hold::name).collect(Collectors.joining(" + "));
	}

	@Override
	public long fencingToken() {
		if (this.holds.size() == 1) {
			return this.holds.get(0).fencingToken();
		}
		throw new UnsupportedOperationException(
				"Each of the locks '" + name() + "' has its own token: use fencingToken(name)");
	}

	@Override
	public long fencingToken(String name) {
		return this.holds.stream()
			.filter((hold) -> hold.name().equals(name))
			.mapToLong(Hold::fencingToken)
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"This is a hold of locks '" + name() + "', not of lock '" + name + "'"));
	}

	@Override
	public boolean isHeld() {
		return this.holds.stream().allMatch(Hold::isHeld);
	}

	@Override
	public Duration remainingLease() {
		return this.holds.stream().map(Hold::remainingLease).min(Duration::compareTo).orElse(Duration.ZERO);
	}

	@Override
	public void ensureHeld() {
		this.holds.forEach(Hold::ensureHeld);
	}

	@Override
	public @Nullable LockLostException loss() {
		return this.holds.stream().map(Hold::loss).filter(Objects::nonNull).findFirst().orElse(null);
	}

	@Override
	public void onLost(Runnable callback) {
		Assert.notNull(callback, () -> "The callback for the loss of locks '" + name() + "' must not be null");
		AtomicBoolean called = new AtomicBoolean();
		Runnable once = () -> {
			if (called.compareAndSet(false, true)) {
				callback.run();
			}
		};
		Runnable each = (callback instanceof QuickCallback) ? (QuickCallback) once::run : once;
		this.holds.forEach((hold) -> hold.onLost(each));
	}

	@Override
	public void close() {
		release(true);
	}

	/**
	 * Release the locks.
	 * @param confirmed whether to wait for the store, if the request does not set this
	 */
	void release(boolean confirmed) {
		List<Holder> ended = new ArrayList<>();
		try {
			Hold.await(end(ended, confirmed));
		}
		finally {
			ended.forEach(this.notifier::released);
		}
	}

	@Override
	public CompletionStage<Void> closeAsync() {
		if (this.holds.size() == 1) {
			return this.holds.get(0).closeAsync();
		}
		List<Holder> ended = new ArrayList<>();
		return end(ended, false).thenRunAsync(() -> ended.forEach(this.notifier::released), this.notifier::deliver)
			.copy();
	}

	@Override
	public CompletionStage<Void> discardAsync() {
		return CompletableFuture.allOf(this.holds.stream().map(Hold::discard).toArray(CompletableFuture[]::new))
			.thenRunAsync(() -> {
			}, this.notifier::deliver)
			.copy();
	}

	/** Release the locks if nobody refers to this handle any more. */
	void releaseIfUnreachable() {
		this.holds.forEach((hold) -> hold.closedBy(this));
	}

	@Override
	public String toString() {
		return this.holds.toString();
	}

	List<Hold> holds() {
		return this.holds;
	}

	/** End the holds, with releases that reach the store in one packet. */
	private CompletableFuture<Void> end(List<Holder> ended, boolean confirmed) {
		List<CompletableFuture<Void>> releases = new ArrayList<>();
		for (Hold hold : this.holds) {
			CompletableFuture<Void> release = new CompletableFuture<>();
			if (hold.end(release)) {
				ended.add(hold.holder());
				if (hold.isConfirmed(confirmed)) {
					releases.add(release);
				}
			}
		}
		return CompletableFuture.allOf(releases.toArray(CompletableFuture[]::new));
	}

}
