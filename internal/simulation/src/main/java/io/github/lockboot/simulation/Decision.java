package io.github.lockboot.simulation;

import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.redis.ShippedScripts;

/**
 * Something that happens to the world at a time: a call of a user, or a fault.
 *
 * @param atMillis when, since the begin of the history
 * @param jvm the JVM that it concerns, if any; with several servers, a fault of one
 * concerns that with this number, counted round
 * @param lock the lock that it concerns, if any
 * @param first the meaning depends on the kind, in milliseconds
 * @param second the meaning depends on the kind, in milliseconds
 * @param options of an acquisition, or what a new JVM lacks
 */
record Decision(long atMillis, Kind kind, int jvm, int lock, long first, long second, int options) {

	static final int CONFIRMED = 1;

	/** Another kind of holder than most of the lock. */
	static final int OTHER = 2;

	static final int CANCELLED = 4;

	static final int RETAINED = 8;

	static final int FIXED_LEASE = 16;

	/** All locks of the history at once. */
	static final int ALL_LOCKS = 32;

	/** With a minimum hold time. */
	static final int KEPT = 64;

	/** Shared after half of its time. */
	static final int DOWNGRADED = 128;

	/** Refused if as many callers of the JVM as the limit wait. */
	static final int LIMITED = 256;

	/** Blocks its thread for one lock; the thread is interrupted once it waits. */
	static final int INTERRUPTED = 512;

	/** Drops its handle and does not release, as an operator of a pipeline may do. */
	static final int DROPPED = 1024;

	/** With half of the usual lease. */
	static final int SHORT_LEASE = 2048;

	/** With a maximum hold time. */
	static final int MAXIMUM = 4096;

	/** What was sent before a cut arrives later. */
	static final int LATE = 1;

	/** A cut or a pause while the next call is under way. */
	static final int AT_CALL = 2;

	/** The next call that renews a lease. */
	static final int AT_RENEWAL = 4;

	/** The next call that requests a lock. */
	static final int AT_REQUEST = 8;

	/** The loader fails. */
	static final int FAILS = 1;

	/** The loader reads the database at its end, not at its begin. */
	static final int AT_END = 2;

	/** Puts the entry only if it is newer. */
	static final int IF_NEWER = 1;

	boolean has(int option) {
		return (this.options & option) != 0;
	}

	/** Whether it is a call of a user, and no fault. */
	boolean isCall() {
		return this.kind.compareTo(Kind.CAMPAIGN) <= 0 || isOfCache();
	}

	/** Whether it is a call of a user of the cache. */
	boolean isOfCache() {
		return this.kind.compareTo(Kind.READ) >= 0;
	}

	/** Whether Redis may lose locks by it without a call, as docs/safety.md says. */
	boolean losesLocks() {
		return switch (this.kind) {
			case EVICT, FAIL_OVER, RESTART_EMPTY, RESTART_OLD -> true;
			case STEP -> this.first > 0;
			default -> false;
		};
	}

	/** Return the decisions that are simpler than this one by a step. */
	List<Decision> lower() {
		List<Decision> lower = new ArrayList<>();
		if (this.kind == Kind.CUT || this.kind == Kind.HALF_OPEN) {
			return lower; // which have no numbers
		}
		for (int bits = this.options; bits != 0; bits &= bits - 1) {
			lower.add(with(this.first, this.second, this.options & ~Integer.lowestOneBit(bits)));
		}
		if (this.first != 0) {
			lower.add(with(this.first / 2, this.second, this.options));
		}
		if (this.second != 0) {
			lower.add(with(this.first, this.second / 2, this.options));
		}
		return lower;
	}

	/** Return an acquisition that ends in a way of its own. */
	Decision endedBy(int option) {
		return (this.kind == Kind.ACQUIRE)
				? with(this.first, this.second, this.options & ~(CANCELLED | ALL_LOCKS) | option) : this;
	}

	/** Return an acquisition with a further option. */
	Decision and(int option) {
		return and(Kind.ACQUIRE, option);
	}

	/** Return a decision of a kind with a further option, or another one as it is. */
	Decision and(Kind kind, int option) {
		return (this.kind == kind) ? with(this.first, this.second, this.options | option) : this;
	}

	Decision longer(long millis) {
		return with(this.first, this.second + millis, this.options);
	}

	Decision without(int options) {
		return with(this.first, this.second, this.options & ~options);
	}

	/** Return an acquisition with a minimum hold time, or without. */
	Decision kept(boolean kept) {
		return kept ? and(KEPT) : without(KEPT);
	}

	/** Return what happens in its place when so many times the time has passed. */
	Decision later(int factor, Kind other) {
		return new Decision(this.atMillis * factor, other, this.jvm, this.lock, this.first, this.second, this.options);
	}

	/** Return a cut or a pause at a call, or another fault as it is. */
	Decision atCall(int call) {
		return (this.kind == Kind.CUT && call != 0) ? with(0, 0, this.options | AT_CALL | call)
				: and(Kind.CUT, AT_CALL).and(Kind.PAUSE, AT_CALL | call).and(Kind.SUSPEND, AT_CALL | call);
	}

	/** Return the same at another time. */
	Decision at(long millis) {
		return new Decision(millis, this.kind, this.jvm, this.lock, this.first, this.second, this.options);
	}

	private Decision with(long first, long second, int options) {
		return new Decision(this.atMillis, this.kind, this.jvm, this.lock, first, second, options);
	}

	@Override
	public String toString() {
		String who = "J" + this.jvm;
		return "%6d ms  ".formatted(this.atMillis) + switch (this.kind) {
			case ACQUIRE -> who + " requests lock" + this.lock + ", waits " + this.first + " ms, holds it for "
					+ this.second + " ms" + optionNames();
			case COMPETE -> who + " requests lock" + this.lock + " again and again for " + this.first
					+ " ms, holds it for " + this.second + " ms each time" + optionNames();
			case INSPECT -> who + " asks who holds lock" + this.lock;
			case CAMPAIGN -> who + " wants to lead" + ((this.first > 0) ? ", resigns after " + this.first + " ms" : "");
			case FORCE -> "lock" + this.lock + " is released by force";
			case CLOSE -> who + " shuts down";
			case REPLACE -> who + " shuts down, and another JVM starts in its place" + rightNames();
			case CRASH -> who + " crashes";
			case PAUSE -> who + " pauses for " + this.first + " ms" + atCall();
			case SUSPEND -> who + " is suspended for " + this.first + " ms, with its clock" + atCall();
			case PAUSE_SERVER -> "the server pauses for " + this.first + " ms";
			case CUT -> "the network cuts " + link() + " of " + who + atCall()
					+ (has(LATE) ? "; what was sent arrives later" : "; what was sent is lost");
			case HALF_OPEN -> "the network loses all from now on that " + link() + " of " + who
					+ ((this.options == 1) ? " sends" : " receives");
			case SLOW -> "the network is slow for " + this.first + " ms";
			case DOUBLE -> "the network doubles packets for " + this.first + " ms";
			case REVOKE -> "the user of " + who + " may not use channels for " + this.first + " ms";
			case UNREPLICATED -> "the replica acknowledges nothing for " + this.first + " ms";
			case FLUSH -> "SCRIPT FLUSH";
			case READ_ONLY -> "the server is read-only for " + this.first + " ms";
			case OUT_OF_MEMORY -> "the server is out of memory for " + this.first + " ms";
			case EVICT -> "the server evicts lock" + this.lock;
			case STEP -> "the clock of the server is set by " + this.first + " ms";
			case FAIL_OVER -> "a replica takes over that lacks the last " + this.first
					+ " ms; the old master goes on for " + this.second + " ms";
			case RESTART_EMPTY -> "the server restarts without its data";
			case RESTART_OLD -> "the server restarts with data that are " + this.first + " ms old";
			case READ -> who + " reads key" + this.lock + ", loads for " + this.first + " ms"
					+ (has(AT_END) ? ", reads the row at the end" : "") + (has(FAILS) ? ", fails" : "")
					+ ((this.second > 0) ? ", in a transaction that began " + this.second + " ms ago" : "");
			case EVICT_ENTRY -> who + " writes and evicts key" + this.lock;
			case PUT -> who + " writes and puts key" + this.lock + (has(IF_NEWER) ? ", if newer" : "");
			case EVICT_TAG -> who + " writes all keys of the tag of key" + this.lock + " and evicts it";
			case CLEAR -> who + " writes all keys and clears the cache";
		};
	}

	private String atCall() {
		return !has(AT_CALL) ? ""
				: " at its next " + (has(AT_RENEWAL) ? "renewal" : has(AT_REQUEST) ? "request" : "call");
	}

	/** Whether a call is one at which it happens. */
	boolean mayHappenAt(String[] call) {
		return !(has(AT_RENEWAL) || has(AT_REQUEST)) || (call.length > 1 && (has(AT_REQUEST)
				? List.of(ShippedScripts.ACQUIRE) : List.of(ShippedScripts.RENEW, ShippedScripts.EXTEND))
			.stream()
			.anyMatch((script) -> script.sha1().equals(call[1])));
	}

	private String link() {
		return (this.first == 0) ? "the connection" : "the subscription";
	}

	private String rightNames() {
		return (has(Jvm.SILENT) ? ", without the right to channels" : "")
				+ (has(Jvm.NO_TEXTS) ? ", without the right to texts" : "") + (has(Jvm.HIDDEN) ? ", hidden" : "");
	}

	private String optionNames() {
		return (has(CONFIRMED) ? ", confirmed release" : "") + (has(OTHER) ? ", other kind" : "")
				+ (has(CANCELLED) ? ", cancels" : "") + (has(RETAINED) ? ", retained" : "")
				+ (has(FIXED_LEASE) ? ", fixed lease" : "") + (has(ALL_LOCKS) ? ", with all other locks" : "")
				+ (has(KEPT) ? ", minimum hold time" : "") + (has(DOWNGRADED) ? ", then shared" : "")
				+ (has(LIMITED) ? ", limited" : "") + (has(INTERRUPTED) ? ", interrupted" : "")
				+ (has(DROPPED) ? ", dropped" : "") + (has(SHORT_LEASE) ? ", half a lease" : "")
				+ (has(MAXIMUM) ? ", maximum hold time" : "");
	}

	/** What happens: calls for locks, then faults, then calls for the cache. */
	enum Kind {

		ACQUIRE, COMPETE, INSPECT, CAMPAIGN,

		FORCE, CLOSE, REPLACE, CRASH, PAUSE, PAUSE_SERVER, CUT, HALF_OPEN, SLOW, DOUBLE, FLUSH, READ_ONLY,
		OUT_OF_MEMORY, REVOKE, UNREPLICATED, SUSPEND, EVICT, STEP, FAIL_OVER, RESTART_EMPTY, RESTART_OLD,

		READ, EVICT_ENTRY, PUT, EVICT_TAG, CLEAR

	}

}
