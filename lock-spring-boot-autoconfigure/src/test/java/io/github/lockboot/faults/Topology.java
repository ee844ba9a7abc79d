package io.github.lockboot.faults;

import java.util.Set;

import io.github.lockboot.fixture.RedisServer;

/**
 * The servers that keep the locks of a run.
 */
interface Topology extends AutoCloseable {

	/** The ACL user of the workers; it needs all commands, keys and channels. */
	String USER = "clerk";

	/** The password of that user. */
	String PASSWORD = "secret";

	/**
	 * Return the address of the locks' Redis for a worker, with user and password.
	 * @return an address that Spring Data Redis reads
	 */
	String uri();

	/**
	 * Return the server that keeps the locks now.
	 * @return a server that is up, or that has just been harmed
	 */
	RedisServer master();

	/**
	 * Return the faults that the locks are to bear here.
	 * @return the kinds
	 */
	Set<Fault> faults();

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

	@Override
	void close();

}
