package io.github.lockboot.benchmarks.peer;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import org.redisson.api.RedissonClient;

import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;

/**
 * The kinds of locks that are compared.
 */
public enum PeerKind implements Kind {

	/**
	 * The lock of this library, as auto-configured except for a longer wait time: a
	 * section does not wait for the reply to its release.
	 */
	OURS("**ours, release sent**", (address) -> OurPeer.waiting(address, LockRequest::of), "lock:{%s}"),

	/**
	 * The lock of this library, with sections that wait for the reply to their release.
	 */
	OURS_CONFIRMED("**ours, release confirmed**",
			(address) -> OurPeer.waiting(address, (lock) -> LockRequest.of(lock).release(LockRelease.CONFIRMED)),
			"lock:{%s}"),

	/** The lock of this library, with fair requests only. */
	OURS_FAIR("**ours, fair**", (address) -> OurPeer.waiting(address, (lock) -> LockRequest.of(lock).fair(true)),
			"lock:{%s}"),

	/** The same with sections that wait for the reply to their release. */
	OURS_FAIR_CONFIRMED("**ours, fair, release confirmed**",
			(address) -> OurPeer.waiting(address,
					(lock) -> LockRequest.of(lock).fair(true).release(LockRelease.CONFIRMED)),
			"lock:{%s}"),

	/** The lock of this library, retained by the JVM that used it last. */
	OURS_RETAINED("**ours, retained**",
			(address) -> OurPeer.waiting(address, (lock) -> LockRequest.of(lock).retainTime(Duration.ofMinutes(1))),
			"lock:{%s}"),

	/** The same in a test that looks at the journal of its locks. */
	OURS_RETAINED_RECORDED("**ours, retained, with a `LockJournal`**",
			(address) -> OurPeer.recorded(address, (lock) -> LockRequest.of(lock).retainTime(Duration.ofMinutes(1))),
			"lock:{%s}"),

	/** The lock of this library around an annotated method. */
	OURS_ANNOTATED("**ours, `@DistributedLock`**", AnnotatedPeer::ours, "lock:{annotated:%s}"),

	/** Only two scripts, the minimum cost of a lock. This kind cannot wait. */
	BARE("bare floor", (address) -> new BarePeer(address, true), "%s"),

	/** The same, without waiting for the reply to the second script. */
	BARE_SENT("bare floor, release not awaited", (address) -> new BarePeer(address, false), "%s"),

	/**
	 * A list of waiters and a message to the next waiter, the minimum cost of a
	 * hand-over.
	 */
	BARE_PUSH("bare floor", BarePushPeer::new, "%s"),

	/** Redisson's re-entrant lock. */
	REDISSON("Redisson RLock", (address) -> RedissonPeer.of(address, RedissonClient::getLock), "%s"),

	/** Redisson's fair lock: in the order of arrival over all JVMs. */
	REDISSON_FAIR("Redisson fair lock", (address) -> RedissonPeer.of(address, RedissonClient::getFairLock), "%s"),

	/**
	 * Redisson's lock behind a lock of the JVM, so that only one thread of each JVM uses
	 * Redis, as a user of Redisson would write it against contention inside a JVM.
	 */
	REDISSON_BEHIND("Redisson RLock behind a ReentrantLock",
			(address) -> new LocalFirstPeer(RedissonPeer.of(address, RedissonClient::getLock)), "%s"),

	/** Spring Integration's registry with its default lock type. */
	INTEGRATION_SPIN("Spring Integration, spin", IntegrationPeer::spinning, "benchmark:%s"),

	/** Spring Integration's registry with notification of waiters. */
	INTEGRATION_PUBSUB("Spring Integration, pub/sub", IntegrationPeer::notified, "benchmark:%s"),

	/** Lock4j's template over Spring Data Redis. */
	LOCK4J("Lock4j RedisTemplate", Lock4jPeer::new, "%s"),

	/** Lock4j's lock around an annotated method. */
	LOCK4J_ANNOTATED("Lock4j, `@Lock4j`", AnnotatedPeer::lock4j,
			"lock4j:" + AnnotatedPeer.Lock4jSection.class.getName() + "run#%s"),

	/**
	 * The lock of this library, shared by readers. A writer acquires the lock of
	 * {@link #OURS}.
	 */
	OURS_READERS("**ours, shared**", (address) -> OurPeer.waiting(address, (lock) -> LockRequest.of(lock).shared()),
			"lock:{%s}"),

	/** The read side of Redisson's read-write lock. */
	REDISSON_READERS("Redisson RReadWriteLock",
			(address) -> RedissonPeer.of(address, (redisson, lock) -> redisson.getReadWriteLock(lock).readLock()),
			"%s"),

	/** The write side of Redisson's read-write lock. */
	REDISSON_WRITER("Redisson RReadWriteLock, writer",
			(address) -> RedissonPeer.of(address, (redisson, lock) -> redisson.getReadWriteLock(lock).writeLock()),
			"%s"),

	/** The semaphore of this library with 4 permits. */
	OURS_SEMAPHORE("**ours, semaphore**",
			(address) -> OurPeer.waiting(address, (lock) -> LockRequest.of(lock).permits(PeerKind.PERMITS)),
			"lock:{%s}"),

	/** The same with sections that wait for the reply to their release. */
	OURS_SEMAPHORE_CONFIRMED("**ours, semaphore, release confirmed**",
			(address) -> OurPeer.waiting(address,
					(lock) -> LockRequest.of(lock).permits(PeerKind.PERMITS).release(LockRelease.CONFIRMED)),
			"lock:{%s}"),

	/** Redisson's semaphore of 4 permits that expire. */
	REDISSON_SEMAPHORE("Redisson RPermitExpirableSemaphore", RedissonSemaphorePeer::new, "%s"),

	/** Three locks of this library at once. */
	OURS_SEVERAL("**ours, 3 locks at once**", (address) -> OurPeer.waiting(address, PeerKind::three), "lock:{%s:a}"),

	/** The same with sections that wait for the reply to their release. */
	OURS_SEVERAL_CONFIRMED("**ours, 3 locks at once, release confirmed**",
			(address) -> OurPeer.waiting(address, (lock) -> three(lock).release(LockRelease.CONFIRMED)), "lock:{%s:a}"),

	/** Redisson's multi-lock of three locks. */
	REDISSON_MULTI("Redisson multi-lock of 3", (address) -> RedissonPeer.of(address, RedissonPeer::three), "%s:a"),

	/** The lock of this library, with a single attempt. */
	OURS_TRYING("**ours, one try**", OurPeer::trying, "lock:{%s}"),

	/** Redisson's lock, with a single attempt. */
	REDISSON_TRYING("Redisson RLock, one try", RedissonPeer::trying, "%s"),

	/** The lock of this library on a cluster. */
	OURS_CLUSTER("**ours, cluster**", (address) -> OurPeer.onCluster(address, LockRelease.SENT), "lock:{%s}"),

	/** The same with sections that wait for the reply to their release. */
	OURS_CLUSTER_CONFIRMED("**ours, cluster, release confirmed**",
			(address) -> OurPeer.onCluster(address, LockRelease.CONFIRMED), "lock:{%s}"),

	/** Redisson's lock on a cluster. */
	REDISSON_CLUSTER("Redisson RLock, cluster", RedissonPeer::onCluster, "%s"),

	/** The lock of this library in a database. */
	DATABASE_OURS("**ours**", OurPeer::inDatabase),

	/** Only two statements, the minimum cost of a lock. This kind cannot wait. */
	DATABASE_BARE("bare statements", BareStatementsPeer::new),

	/** ShedLock's provider. */
	DATABASE_SHEDLOCK("ShedLock JdbcTemplateLockProvider", ShedLockPeer::new),

	/** Spring Integration's registry in a database. */
	DATABASE_INTEGRATION("Spring Integration JdbcLockRegistry", IntegrationPeer::inDatabase),

	/** ShedLock's provider on a PostgreSQL in which no commit waits for the disk. */
	DATABASE_SHEDLOCK_RELAXED("ShedLock, no commit waits for the disk", (url) -> new ShedLockPeer(relaxed(url))),

	/** Spring Integration's registry on such a PostgreSQL. */
	DATABASE_INTEGRATION_RELAXED("Spring Integration, no commit waits for the disk",
			(url) -> IntegrationPeer.inDatabase(relaxed(url))),

	/** The lock of this library in ZooKeeper. */
	ZOOKEEPER_OURS("**ours**", (servers) -> OurPeer.inZooKeeper(servers, false)),

	/** The same with fair requests, so that each section is a hand-over. */
	ZOOKEEPER_OURS_FAIR("**ours**, fair", (servers) -> OurPeer.inZooKeeper(servers, true)),

	/** Curator's recipe. */
	ZOOKEEPER_CURATOR("Curator InterProcessMutex", CuratorPeer::new),

	/** Spring Integration's registry, which is based on Curator's recipe. */
	ZOOKEEPER_INTEGRATION("Spring Integration ZookeeperLockRegistry", IntegrationPeer::inZooKeeper);

	/** How many callers may hold a semaphore at the same time. */
	static final int PERMITS = 4;

	private final String label;

	private final Function<String, Peer> opener;

	private final String keyFormat;

	PeerKind(String label, Function<RedisAddress, Peer> opener, String keyFormat) {
		this.label = label;
		this.opener = (address) -> opener.apply(RedisAddress.of(address));
		this.keyFormat = keyFormat;
	}

	PeerKind(String label, Function<String, Peer> opener) {
		this.label = label;
		this.opener = opener;
		this.keyFormat = "";
	}

	private static LockRequest three(String lock) {
		return LockRequest.allOf(lock + ":a", lock + ":b", lock + ":c");
	}

	private static String relaxed(String url) {
		return url + "&options=-c%20synchronous_commit=off";
	}

	@Override
	public String label() {
		return this.label;
	}

	/**
	 * Connect.
	 * @return the locks, to be closed by the caller
	 */
	public Peer open(String address) {
		return this.opener.apply(address);
	}

	/** Return the function from the name of a lock to the key of a held lock in Redis. */
	public UnaryOperator<String> keys() {
		return this.keyFormat::formatted;
	}

	/**
	 * Return whether a waiter polls every 100 ms, so that the time of a release has to
	 * vary by more than that.
	 */
	public boolean polls() {
		return this == INTEGRATION_SPIN || this == LOCK4J;
	}

}
