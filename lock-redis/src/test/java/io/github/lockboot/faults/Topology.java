package io.github.lockboot.faults;

import java.util.List;
import java.util.Set;

import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.TestServer;

/**
 * The servers of the locks of a run.
 */
interface Topology extends AutoCloseable {

	/**
	 * The ACL user of the workers; it needs permission for all commands, keys and
	 * channels.
	 */
	String USER = "worker";

	/** The password of that user. */
	String PASSWORD = "secret";

	/** Return the address of the locks' servers for a worker. */
	Address address();

	/**
	 * Return all servers that may have locks.
	 * @return masters and replicas
	 */
	List<? extends TestServer> servers();

	/**
	 * Return the current master of a lock.
	 * @return the master, which may just have failed
	 */
	TestServer masterOf(String lock);

	/**
	 * Return all servers that have a lock. If all of them are down, no other server
	 * replaces them.
	 * @return the master first
	 */
	default List<? extends TestServer> serversWith(String lock) {
		return servers();
	}

	/** Return the faults that the locks have to tolerate on these servers. */
	Set<Fault> faults();

	/** Return the faults that are specific to this topology. */
	default Set<Fault> ownFaults() {
		return faults();
	}

	/**
	 * Prepare a check of this topology alone.
	 * @return is run after the fault, once all make progress again
	 */
	default Runnable beforeFault() {
		return () -> {
		};
	}

	/**
	 * Whether a fault may lose leases. Mutual exclusion is not promised then, but fencing
	 * tokens still grow.
	 */
	boolean mayLoseLeases(Fault fault);

	/**
	 * Wait until the servers work again after a fault was repaired.
	 */
	void awaitHealthy();

	/**
	 * Wait until a replica has replaced a master.
	 * @param former the master that is down
	 * @param lock one of its locks
	 */
	default void awaitSuccessor(TestServer former, String lock) {
		throw new UnsupportedOperationException();
	}

	/** Replace a healthy master by a replica. */
	default void switchMaster(String lock) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Start the migration of a lock's slot to another master.
	 * @return finishes the migration
	 */
	default Runnable move(String lock) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Lock the rows of all locks in a transaction.
	 * @return ends the transaction
	 */
	default Runnable lockAllRows() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Close the workers' connections, and open all that the server accepts.
	 * @return closes them
	 */
	default Runnable exhaustConnections() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Change the time zone of the server and of all its sessions.
	 */
	default void changeTimeZone() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return the networks between the workers and the servers, which can delay and lose
	 * packets.
	 */
	default List<RedisProxy> networks() {
		throw new UnsupportedOperationException();
	}

	/**
	 * End the sessions of all workers.
	 */
	default void expireSessions() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Whether a master that replaces another one unexpectedly may lack leases.
	 * @return false if a majority of servers knows them
	 */
	default boolean losesLeasesByFailover() {
		return true;
	}

	/**
	 * Whether messages wake waiters.
	 * @return false if waiters poll
	 */
	default boolean pushes() {
		return true;
	}

	/**
	 * Return how many requests a hold may cost on all servers together, including those
	 * of waiters and of failed attempts.
	 */
	default int requestsPerHold() {
		return pushes() ? 4 : 8;
	}

	/**
	 * Return how many requests the servers have run so far.
	 * @return the number of scripts or statements
	 */
	long requests();

	/** Count the workers that messages of every master reach. */
	int subscribedWorkers();

	/** Close the workers' connections to the master of a lock. */
	void cutConnections(String lock);

	/**
	 * Let the master of a lock refuse all writes.
	 * @return lets it accept them again
	 */
	Runnable makeReadOnly(String lock);

	/**
	 * Whether a worker waits for a lock.
	 * @return true if so, as far as the servers know it
	 */
	boolean mayWait(Workers.WorkerProcess worker, String lock);

	/**
	 * Return what is left of locks that nobody holds any more.
	 * @return keys or names
	 */
	Set<String> leftovers();

	/**
	 * Return the tokens that are too far ahead of the time.
	 * @param micros how far they may be ahead
	 * @return a sentence for each token
	 */
	List<String> tokensAhead(long micros);

	/**
	 * Describe the servers after a failed run.
	 * @return several lines
	 */
	String diagnostics();

	@Override
	void close();

}
