package io.github.lockboot.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.engine.SimulatedHolds;

/** What has to be true of the holders of one lock, whatever happens. */
final class Rules {

	/**
	 * A minimum hold time ends earlier by a fraction of a millisecond, and by a drift.
	 */
	private static final long KEPT_NANOS = 20_000_000;

	private final String lock;

	private final List<Holder> holders = new ArrayList<>();

	/** Which holders may overlap, because a lock was lost that is named in the docs. */
	private long lossyUntilNanos = Long.MIN_VALUE;

	/** Until when the last holder that has released the lock keeps it. */
	private long keptUntilNanos = Long.MIN_VALUE;

	/** Since when nobody has held the lock, but for a minimum hold time. */
	private long leftNanos = Long.MIN_VALUE;

	/** Whether the clock of a server was set, so that it may issue lower tokens. */
	private boolean tokensMayRestart;

	/** The highest token of the store when the lock was last released by force. */
	private long formerToken;

	/** Until when a former holder may not know that the lock was released by force. */
	private long formerUntilNanos = Long.MIN_VALUE;

	/** The exclusive holders of each JVM with the highest token. */
	private final Map<Jvm, Holder> highest = new HashMap<>();

	private long exclusiveToken;

	private long sharedToken;

	Rules(String lock) {
		this.lock = lock;
	}

	String lock() {
		return this.lock;
	}

	/** Redis may have lost the lock. */
	void lossyUntil(long nanos, boolean tokensToo) {
		this.lossyUntilNanos = Math.max(this.lossyUntilNanos, nanos);
		this.tokensMayRestart |= tokensToo;
	}

	/** The lock was released by force. All holders with these tokens are former ones. */
	void forced(long highestToken, long untilNanos) {
		this.formerToken = Math.max(this.formerToken, highestToken);
		this.formerUntilNanos = Math.max(this.formerUntilNanos, untilNanos);
	}

	private boolean isFormer(Holder holder, long nowNanos) {
		return nowNanos < this.formerUntilNanos
				&& holder.handle.fencingToken(this.lock) / Holder.TOKENS <= this.formerToken;
	}

	/** Whether Redis may have lost the lock, and its holder may not know it. */
	boolean mayBeLost(long nanos) {
		return nanos < Math.max(this.lossyUntilNanos, this.formerUntilNanos);
	}

	/** A holder begins. */
	void begins(Holder holder, long nowNanos) {
		check(nowNanos, holder);
		if (nowNanos + KEPT_NANOS < this.keptUntilNanos && !mayBeLost(nowNanos)) {
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
		leftUntil(nowNanos);
		if (holder.isCertain()) {
			check(nowNanos, present);
		}
	}

	/** The wait of a call has ended. */
	void waited(String call, long sinceNanos, long nowNanos, long mostNanos) {
		long freeNanos = Math.max(sinceNanos, Math.max(this.leftNanos, this.keptUntilNanos));
		this.holders.removeIf((holder) -> holder.jvm.isGone());
		if (this.holders.isEmpty() && nowNanos - freeNanos > mostNanos) {
			throw new Violation(call + " has waited for " + this.lock + ", which has been free for "
					+ (nowNanos - freeNanos) / 1_000_000 + " ms");
		}
	}

	/** Return for which holder the lease ends in Redis before it ends for the holder. */
	@Nullable String early(Node master, long nowNanos) {
		for (Holder holder : this.holders) {
			if (!mayBeLost(nowNanos) && holder.isCertain()) {
				long earlyNanos = SimulatedHolds.remainingNanos(holder.handle, this.lock)
						- master.heldNanos(this.lock, SimulatedHolds.owner(holder.handle, this.lock));
				if (earlyNanos > 0) {
					return holder + " holds " + this.lock + ", whose lease ends in Redis " + earlyNanos / 1000
							+ " us earlier";
				}
			}
		}
		return null;
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
					.filter((holder) -> holder.permits == 1 && holder.sinceNanos < nanos && holder.isCertain())
					.findFirst()
					.orElse(null);
	}

	private void check(long nowNanos, Holder holder) {
		this.holders.removeIf((other) -> other.jvm.machine().isDead());
		if (nowNanos < this.lossyUntilNanos || !holder.isCertain() || isFormer(holder, nowNanos)) {
			return;
		}
		List<Holder> others = this.holders.stream()
			.filter((other) -> other.isCertain() && !isFormer(other, nowNanos))
			.toList();
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

	/** Within a JVM they grow, whatever the store has lost. */
	void checkOwnTokens(Holder holder) {
		long since = SimulatedHolds.sinceNanos(holder.handle, this.lock);
		Holder last = this.highest.get(holder.jvm);
		if (last == null || holder.token(this.lock) > last.token(this.lock)) {
			this.highest.put(holder.jvm, holder);
		}
		else if (since > SimulatedHolds.sinceNanos(last.handle, this.lock)) {
			throw new Violation("the fencing token of " + holder + " is not greater than that of " + last
					+ ", an earlier holder of its JVM");
		}
	}

	private void checkToken(long nowNanos, Holder holder) {
		long token = holder.token(this.lock);
		long least = (holder.permits == 1) ? Math.max(this.exclusiveToken, this.sharedToken) + 1 : this.exclusiveToken;
		// it had the lock before the others and learns that later, or shares a lease from
		// a time when the store had lost higher tokens, which are times
		long micros = token / Holder.TOKENS - Node.EPOCH_MICROS;
		boolean ofLoss = TimeUnit.MICROSECONDS.toNanos(micros) < this.lossyUntilNanos;
		if (token < least && (ofLoss || isFormer(holder, nowNanos))) {
			return;
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

		/** How many tokens of a resource there are for each one of the store. */
		private static final long TOKENS = 1000;

		long token(String lock) {
			return this.handle.fencingToken(lock);
		}

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
