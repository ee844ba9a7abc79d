package io.github.lockboot.benchmarks.peer;

import java.util.List;
import java.util.function.Function;

/**
 * The kinds of locks in ZooKeeper that are compared.
 */
public enum ZooKeeperKind implements Kind {

	/** The lock of this library, as auto-configured except for a longer wait time. */
	OURS("**ours**", (servers) -> OurPeer.inZooKeeper(servers, false)),

	/**
	 * The lock of this library with fair requests, so that each section is a hand-over.
	 */
	OURS_FAIR("**ours**, fair", (servers) -> OurPeer.inZooKeeper(servers, true)),

	/** Curator's recipe. */
	CURATOR("Curator InterProcessMutex", CuratorPeer::new),

	/** Spring Integration's registry, which is based on Curator's recipe. */
	INTEGRATION("Spring Integration ZookeeperLockRegistry", IntegrationPeer::inZooKeeper);

	/** The kinds with their default behaviour. */
	public static final List<ZooKeeperKind> DEFAULTS = List.of(OURS, CURATOR, INTEGRATION);

	/**
	 * The prefix of the address of an ensemble, which distinguishes it from those of
	 * other servers.
	 */
	public static final String SCHEME = "zookeeper:";

	private final String label;

	private final Function<String, Peer> opener;

	ZooKeeperKind(String label, Function<String, Peer> opener) {
		this.label = label;
		this.opener = opener;
	}

	@Override
	public String label() {
		return this.label;
	}

	/**
	 * Connect.
	 * @param address the scheme and the addresses of the servers
	 * @return the locks, to be closed by the caller
	 */
	public Peer open(String address) {
		return this.opener.apply(address.substring(SCHEME.length()));
	}

}
