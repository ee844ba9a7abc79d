package io.github.lockboot.faults;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;

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

	/** Pattern of the workers' channels. */
	String CHANNELS = "lock:inbox:*";

	/**
	 * Return the address of the locks' Redis for a worker.
	 * @return the address
	 */
	Address address();

	/**
	 * Return all servers that may have locks.
	 * @return masters and replicas
	 */
	List<RedisServer> servers();

	/**
	 * Return the servers that accept writes now.
	 * @return masters that are running
	 */
	List<RedisServer> masters();

	/**
	 * Return the current master of a key.
	 * @param key the key
	 * @return the master, which may just have failed
	 */
	RedisServer masterOf(String key);

	/**
	 * Return all servers that have a key. If all of them are down, no other server
	 * replaces them.
	 * @param key the key
	 * @return the master first
	 */
	List<RedisServer> serversWith(String key);

	/**
	 * Return the faults that the locks have to tolerate on these servers.
	 * @return the kinds
	 */
	Set<Fault> faults();

	/**
	 * Return the faults that are specific to this topology.
	 * @return the kinds
	 */
	Set<Fault> ownFaults();

	/**
	 * Whether a fault may lose leases. Mutual exclusion is not promised then, but fencing
	 * tokens still grow.
	 * @param fault the kind
	 * @return true if so
	 */
	boolean mayLoseLeases(Fault fault);

	/**
	 * Wait until the servers work again after a fault was repaired.
	 */
	void awaitHealthy();

	/**
	 * Wait until a replica has replaced a master.
	 * @param former the master that is down
	 * @param key one of its keys
	 */
	default void awaitSuccessor(RedisServer former, String key) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Replace a healthy master by a replica.
	 * @param key a key of the master
	 */
	default void switchMaster(String key) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Start the migration of a key's slot to another master.
	 * @param key the key
	 * @return finishes the migration
	 */
	default Runnable move(String key) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return by how much the clock of a server was set back.
	 * @return zero if it was not
	 */
	default Duration clockBehind() {
		return Duration.ZERO;
	}

	/**
	 * Return the network between the workers and the server.
	 * @return a network that can delay and lose packets
	 */
	default RedisProxy network() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Whether messages wake waiters.
	 * @return false if waiters poll
	 */
	default boolean pushes() {
		return true;
	}

	/**
	 * Return how many scripts a hold may cost on all servers together, including those of
	 * waiters and of failed attempts.
	 * @return the number of scripts
	 */
	default int scriptsPerHold() {
		return pushes() ? 4 : 8;
	}

	/**
	 * Count the workers that messages of every master reach.
	 * @return the number of workers
	 */
	int subscribedWorkers();

	@Override
	void close();

}
