package io.github.lockboot.benchmarks.peer;

import java.util.function.Function;

/**
 * The kinds of locks in a database that are compared.
 */
public enum DatabaseKind implements Kind {

	/** The lock of this library, as auto-configured except for a longer wait time. */
	OURS("**ours**", OurPeer::inDatabase),

	/** Only two statements, the minimum cost of a lock. This kind cannot wait. */
	BARE("bare statements", BareStatementsPeer::new),

	/** ShedLock's provider. */
	SHEDLOCK("ShedLock JdbcTemplateLockProvider", ShedLockPeer::new),

	/** Spring Integration's registry. */
	INTEGRATION("Spring Integration JdbcLockRegistry", IntegrationPeer::inDatabase),

	/** ShedLock's provider on a PostgreSQL in which no commit waits for the disk. */
	SHEDLOCK_RELAXED("ShedLock, no commit waits for the disk", (url) -> new ShedLockPeer(url + DatabaseKind.RELAXED)),

	/**
	 * Spring Integration's registry on a PostgreSQL in which no commit waits for the
	 * disk.
	 */
	INTEGRATION_RELAXED("Spring Integration, no commit waits for the disk",
			(url) -> IntegrationPeer.inDatabase(url + DatabaseKind.RELAXED));

	private static final String RELAXED = "&options=-c%20synchronous_commit=off";

	private final String label;

	private final Function<String, Peer> opener;

	DatabaseKind(String label, Function<String, Peer> opener) {
		this.label = label;
		this.opener = opener;
	}

	@Override
	public String label() {
		return this.label;
	}

	/**
	 * Connect.
	 * @param url the URL of the database
	 * @return the locks, to be closed by the caller
	 */
	public Peer open(String url) {
		return this.opener.apply(url);
	}

}
