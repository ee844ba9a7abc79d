package io.github.lockboot.simulation;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;

/** What has to be true of the holders of one lock, whatever happens. */
final class Rules {

	/** A minimum hold time ends earlier by the fraction of a millisecond. */
	private static final long KEPT_NANOS = 2_000_000;

	/** For how long a lock that is free may have waiters. */
	private static final long PROMPT_NANOS = 300_000_000;

	private final String lock;

	private final List<Holder> holders = new ArrayList<>();

	/** Which holders may overlap, because a lock was lost that is named in the docs. */
	private long lossyUntilNanos = Long.MIN_VALUE;

	/** Until when the last holder that has released the lock keeps it. */
	private long keptUntilNanos = Long.MIN_VALUE;

	/** Since when nobody has held the lock, but for a minimum hold time. */
	private long leftNanos = Long.MIN_VALUE;

	private boolean tokensMayRestart;

	private long exclusiveToken;

	private long sharedToken;

	Rules(String lock) {
		this.lock = lock;
	}

	/** Redis may have lost the lock. */
	void lossyUntil(long nanos, boolean tokensToo) {
		this.lossyUntilNanos = Math.max(this.lossyUntilNanos, nanos);
		this.tokensMayRestart |= tokensToo;
	}

	/** Whether Redis may have lost the lock, and its holder may not know it. */
	boolean mayBeLost(long nanos) {
		return nanos < this.lossyUntilNanos;
	}

	/** A holder begins. */
	void begins(Holder holder, long nowNanos) {
		check(nowNanos, holder);
		if (nowNanos + KEPT_NANOS < this.keptUntilNanos) {
			throw new Violation(holder + " acquires " + this.lock + " " + (this.keptUntilNanos - nowNanos) / 1_000_000
					+ " ms before the end of a minimum hold time");
		}
		this.holders.add(holder);
		if (!this.tokensMayRestart) {
			checkToken(nowNanos, holder);
		}
	}

	void ends(Holder holder, long nowNanos) {
		Holder present = this.holders.stream()
			.filter((each) -> each.handle == holder.handle)
			.findFirst()
			.orElse(holder);
		this.holders.remove(present);
		this.leftNanos = nowNanos;
		if (holder.isCertain()) {
			check(nowNanos, present);
		}
	}

	/** The wait of a call has ended. */
	void waited(String call, long sinceNanos, long nowNanos) {
		long freeNanos = Math.max(sinceNanos, Math.max(this.leftNanos, this.keptUntilNanos));
		if (this.holders.isEmpty() && nowNanos - freeNanos > PROMPT_NANOS) {
			throw new Violation(call + " has waited for " + this.lock + ", which has been free for "
					+ (nowNanos - freeNanos) / 1_000_000 + " ms");
		}
	}

	/** A holder has dropped the lock, which may not be free before a time. */
	void leftUntil(long nanos) {
		this.leftNanos = Math.max(this.leftNanos, nanos);
	}

	/** A holder has released the lock, which nobody gets before a time. */
	void keptUntil(long nanos) {
		this.keptUntilNanos = Math.max(this.keptUntilNanos, nanos);
	}

	/** An exclusive holder shares the lock from now on. */
	void shares(LockHandle handle) {
		this.holders.replaceAll((holder) -> (holder.handle == handle)
				? new Holder(holder.jvm, holder.call, handle, Integer.MAX_VALUE, holder.sinceNanos) : holder);
	}

	/** Return who has certainly been the only holder since a time, if anybody. */
	@Nullable Holder aloneSince(long nanos) {
		return mayBeLost(nanos) ? null
				: this.holders.stream()
					.filter((holder) -> holder.permits == 1 && holder.sinceNanos <= nanos && holder.isCertain())
					.findFirst()
					.orElse(null);
	}

	private void check(long nowNanos, Holder holder) {
		this.holders.removeIf((other) -> other.jvm.machine().isDead());
		if (nowNanos < this.lossyUntilNanos || !holder.isCertain()) {
			return;
		}
		List<Holder> others = this.holders.stream().filter(Holder::isCertain).toList();
		for (Holder other : others) {
			if (holder.permits == 1 || other.permits == 1) {
				throw new Violation("two holders of " + this.lock + ": " + other + " and " + holder);
			}
		}
		if (others.size() + 1 > holder.permits) {
			throw new Violation(
					"more than " + holder.permits + " holders of " + this.lock + ": " + others + " and " + holder);
		}
	}

	private void checkToken(long nowNanos, Holder holder) {
		long token = holder.handle.fencingToken(this.lock);
		long least = (holder.permits == 1) ? Math.max(this.exclusiveToken, this.sharedToken) + 1 : this.exclusiveToken;
		if (token < least && nowNanos < this.lossyUntilNanos) {
			return; // it had the lock before the others, and learns that after it has
					// lost it
		}
		if (token < least) {
			throw new Violation("the fencing token of " + holder + " is " + token + ", after " + this.exclusiveToken
					+ " of an exclusive holder and " + this.sharedToken + " of a shared one");
		}
		if (holder.permits == 1) {
			this.exclusiveToken = token;
		}
		else {
			this.sharedToken = Math.max(this.sharedToken, token);
		}
	}

	/** A caller that holds the lock. */
	record Holder(Jvm jvm, String call, LockHandle handle, int permits, long sinceNanos) {

		boolean isCertain() {
			return !this.jvm.machine().isDead() && this.handle.isHeld();
		}

		@Override
		public String toString() {
			return this.call;
		}

	}

	/** A rule is broken. */
	static final class Violation extends RuntimeException {

		private static final long serialVersionUID = 1L;

		Violation(String message) {
			super(message);
		}

	}

}
