package io.github.lockboot.faults;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;

/**
 * The servers that keep the locks of a run.
 */
interface Topology extends AutoCloseable {

	/** The ACL user of the workers; it needs all commands, keys and channels. */
	String USER = "clerk";

	/** The password of that user. */
	String PASSWORD = "secret";

	/** What the channels of the workers are called. */
	String INBOXES = "lock:inbox:*";

	/**
	 * Return the address of the locks' Redis for a worker.
	 * @return the address
	 */
	Address address();

	/**
	 * Return all servers that may keep locks.
	 * @return masters and replicas
	 */
	List<RedisServer> servers();

	/**
	 * Return the servers that keep locks now.
	 * @return servers that are up
	 */
	List<RedisServer> masters();

	/**
	 * Return the server that keeps a key now.
	 * @param key the key
	 * @return a server that is up, or that has just been harmed
	 */
	RedisServer masterOf(String key);

	/**
	 * Return all servers that have a key. If they are down, nobody takes their place.
	 * @param key the key
	 * @return the master first
	 */
	List<RedisServer> keepersOf(String key);

	/**
	 * Return the faults that the locks are to bear here.
	 * @return the kinds
	 */
	Set<Fault> faults();

	/**
	 * Return the faults that there are only here.
	 * @return the kinds
	 */
	Set<Fault> ownFaults();

	/**
	 * Whether leases may be forgotten by a fault: then nobody promises mutual exclusion
	 * meanwhile, but fencing tokens grow on.
	 * @param fault the kind
	 * @return true if so
	 */
	boolean forgets(Fault fault);

	/**
	 * Wait until the locks are served again after a fault was healed.
	 */
	void awaitHealthy();

	/**
	 * Wait until a replica has taken the place of a master.
	 * @param former the master, down
	 * @param key a key that it kept
	 */
	default void awaitSuccessor(RedisServer former, String key) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Let a replica take the place of a master that is well.
	 * @param key a key that the master keeps
	 */
	default void switchMaster(String key) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Begin to move a key to another master.
	 * @param key the key
	 * @return ends the move
	 */
	default Runnable move(String key) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Return by how much the clock of a server is behind what it once was.
	 * @return zero if clocks are left alone
	 */
	default Duration clockBehind() {
		return Duration.ZERO;
	}

	/**
	 * Return the network between the workers and the server.
	 * @return a network that may be harmed
	 */
	default RedisProxy network() {
		throw new UnsupportedOperationException();
	}

	/**
	 * Whether those who wait are woken by pushes here.
	 * @return false if they look for themselves
	 */
	default boolean pushes() {
		return true;
	}

	/**
	 * Return what a hold may cost, all servers together: others have tried for it in
	 * vain, waited and given up.
	 * @return the number of scripts
	 */
	default int scriptsPerHold() {
		return pushes() ? 4 : 8;
	}

	/**
	 * Count the workers that would be reached by a push from wherever a lock may be.
	 * @return how many
	 */
	int listeners();

	@Override
	void close();

}
