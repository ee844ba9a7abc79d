package io.github.lockboot.benchmarks.peer;

import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * The kinds of locks that are compared.
 */
public enum PeerKind implements Kind {

	/** Ours, as auto-configured but for a longer wait time. */
	OURS("**ours**", OurPeer::new, "lock:{%s}"),

	/** Ours, every request fair. */
	OURS_FAIR("**ours, fair**", OurFairPeer::new, "lock:{%s}"),

	/** Two scripts and nothing else: what a lock costs at least. It can't wait. */
	BARE("bare floor", BarePeer::new, "%s"),

	/** Redisson's re-entrant lock. */
	REDISSON("Redisson RLock", RedissonPeer::new, "%s"),

	/** Redisson's fair lock. */
	REDISSON_FAIR("Redisson fair lock", RedissonFairPeer::new, "%s"),

	/** Spring Integration's registry as it is by default. */
	INTEGRATION_SPIN("Spring Integration, spin", IntegrationPeer::spinning, "benchmark:%s"),

	/** Spring Integration's registry with notification of waiters. */
	INTEGRATION_PUBSUB("Spring Integration, pub/sub", IntegrationPeer::told, "benchmark:%s"),

	/** Lock4j's template over Spring Data Redis. */
	LOCK4J("Lock4j RedisTemplate", Lock4jPeer::new, "%s"),

	/** Ours, shared by readers. */
	OURS_READERS("**ours, shared**", OurReadersPeer::new, "lock:{%s}"),

	/** The read side of Redisson's read-write lock. */
	REDISSON_READERS("Redisson RReadWriteLock", RedissonReadersPeer::new, "%s"),

	/** The write side of Redisson's read-write lock. */
	REDISSON_WRITER("Redisson RReadWriteLock, writer", RedissonWriterPeer::new, "%s"),

	/** Our semaphore of 4 permits. */
	OURS_SEMAPHORE("**ours, semaphore**", OurSemaphorePeer::new, "lock:{%s}"),

	/** Redisson's semaphore of 4 permits that expire. */
	REDISSON_SEMAPHORE("Redisson RPermitExpirableSemaphore", RedissonSemaphorePeer::new, "%s"),

	/** Three locks of ours at once. */
	OURS_SEVERAL("**ours, 3 locks at once**", OurSeveralPeer::new, "lock:{%s:a}"),

	/** Redisson's multi-lock of three locks. */
	REDISSON_MULTI("Redisson multi-lock of 3", RedissonMultiPeer::new, "%s:a"),

	/** Ours, tried once. */
	OURS_TRYING("**ours, one try**", (address) -> new OurTryingPeer(address, null), "lock:{%s}"),

	/** Ours, tried once for a long lease. */
	OURS_TRYING_LONG("**ours, one try, 5 min**", (address) -> new OurTryingPeer(address, Duration.ofMinutes(5)),
			"lock:{%s}"),

	/** Redisson's lock, tried once. */
	REDISSON_TRYING("Redisson RLock, one try", (address) -> new RedissonTryingPeer(address, null), "%s"),

	/** Redisson's lock, tried once for a long lease. */
	REDISSON_TRYING_LONG("Redisson RLock, one try, 5 min",
			(address) -> new RedissonTryingPeer(address, Duration.ofMinutes(5)), "%s"),

	/** Ours on a cluster. */
	OURS_CLUSTER("**ours, cluster**", OurClusterPeer::new, "lock:{%s}"),

	/** Redisson's lock on a cluster. */
	REDISSON_CLUSTER("Redisson RLock, cluster", RedissonClusterPeer::new, "%s");

	private final String label;

	private final Opening opening;

	private final String keyFormat;

	PeerKind(String label, Opening opening, String keyFormat) {
		this.label = label;
		this.opening = opening;
		this.keyFormat = keyFormat;
	}

	@Override
	public String label() {
		return this.label;
	}

	/**
	 * Connect.
	 * @param address where Redis is
	 * @return the locks, to be closed by the caller
	 */
	public Peer open(RedisAddress address) {
		return this.opening.open(address);
	}

	/**
	 * Return how the kind names the key of a lock that is held.
	 * @return from the lock's name to its key
	 */
	public UnaryOperator<String> keys() {
		return this.keyFormat::formatted;
	}

	/**
	 * Whether a waiter asks again in fixed intervals of 100 ms, so that the moment of a
	 * release has to vary by more than that.
	 * @return true if so
	 */
	public boolean polls() {
		return this == INTEGRATION_SPIN || this == LOCK4J;
	}

	private interface Opening {

		Peer open(RedisAddress address);

	}

}
