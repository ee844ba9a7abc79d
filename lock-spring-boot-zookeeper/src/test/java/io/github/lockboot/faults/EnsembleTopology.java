package io.github.lockboot.faults;

import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.awaitility.Awaitility;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.TestEnsemble;
import io.github.lockboot.fixture.TestServer;
import io.github.lockboot.zookeeper.ZookeeperLockSettings;
import io.github.lockboot.zookeeper.ZookeeperLockTemplate;

/**
 * Three servers of ZooKeeper, each behind a network that delays or loses packets in one
 * direction. A majority of them knows each lease.
 */
final class EnsembleTopology implements Topology {

	private static final String ROOT = "/locks";

	private static final String SESSIONS = ROOT + "/@sessions";

	private final TestEnsemble ensemble = TestEnsemble.started(3);

	private final List<RedisProxy> networks = this.ensemble.servers().stream().map(RedisProxy::new).toList();

	/** Looks at the nodes, without the networks. */
	private final CuratorFramework client = CuratorFrameworkFactory.newClient(this.ensemble.connectString(),
			new RetryNTimes(20, 100));

	/** Holds a lock during each fault, on nodes of its own. */
	private final ZookeeperLockTemplate holder = locks();

	/** Releases that lock by force after the fault. */
	private final ZookeeperLockTemplate other = locks();

	private final AtomicInteger held = new AtomicInteger();

	EnsembleTopology() {
		this.client.start();
	}

	@Override
	public Address address() {
		return new Address(Address.Kind.ZOOKEEPER, this.networks.stream().map(RedisProxy::address).toList());
	}

	@Override
	public EnsembleServer masterOf(String lock) {
		return this.ensemble.leader();
	}

	@Override
	public List<EnsembleServer> servers() {
		return this.ensemble.servers();
	}

	@Override
	public Set<Fault> faults() {
		return EnumSet.of(Fault.SERVER_KILLED, Fault.SERVER_FROZEN, Fault.MASTER_KILLED, Fault.MASTER_FROZEN,
				Fault.QUORUM_LOST, Fault.QUORUM_FROZEN, Fault.SESSIONS_EXPIRED, Fault.HOLDER_KILLED,
				Fault.HOLDER_FROZEN, Fault.WAITER_KILLED, Fault.WAITER_FROZEN, Fault.CONNECTIONS_CUT,
				Fault.REQUESTS_LATE, Fault.ANSWERS_LATE, Fault.ANSWERS_LOST, Fault.OUTAGE_UNDER_LOAD,
				Fault.ROLLING_RESTART);
	}

	private ZookeeperLockTemplate locks() {
		return new ZookeeperLockTemplate(ZookeeperLockSettings
			.of(this.networks.stream().map(RedisProxy::address).collect(Collectors.joining(",")))
			.withRoot("/held")
			.withTimeouts(FaultRun.LEASE.multipliedBy(4), FaultRun.COMMAND_TIMEOUT.multipliedBy(5)), List.of());
	}

	/**
	 * Whatever a fault did to connections and watches, the owner learns that its lock was
	 * released by force before another one has it for long.
	 */
	@Override
	public Runnable beforeFault() {
		LockRequest request = LockRequest.of("held" + this.held.incrementAndGet()).waitTime(FaultRun.LEASE);
		LockHandle hold = this.holder.acquire(request);
		return () -> {
			Awaitility.await().ignoreException(LockUnavailableException.class).until(() -> {
				this.other.forceRelease(request.name());
				return true;
			});
			Awaitility.await("the owner learns of the forced release of " + request.name())
				.atMost(FaultRun.LEASE.multipliedBy(2))
				.until(() -> !hold.isHeld());
			hold.close();
		};
	}

	@Override
	public boolean mayLoseLeases(Fault fault) {
		return fault == Fault.SESSIONS_EXPIRED;
	}

	@Override
	public boolean losesLeasesByFailover() {
		return false;
	}

	@Override
	public void awaitHealthy() {
		this.ensemble.awaitServing();
	}

	@Override
	public void awaitSuccessor(TestServer former, String lock) {
		this.ensemble.leader();
	}

	@Override
	public List<RedisProxy> networks() {
		return this.networks;
	}

	@Override
	public void cutConnections(String lock) {
		this.networks.forEach(RedisProxy::cut);
	}

	@Override
	public void expireSessions() {
		for (String session : children(SESSIONS)) {
			try {
				long id = this.client.checkExists().forPath(SESSIONS + "/" + session).getEphemeralOwner();
				this.ensemble.expire(id);
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	@Override
	public Runnable makeReadOnly(String lock) {
		throw new UnsupportedOperationException();
	}

	/** The name of a node begins with the worker, and ends with its place. */
	@Override
	public boolean mayWait(Workers.WorkerProcess worker, String lock) {
		return children(ROOT + "/lock:" + lock).stream()
			.min(Comparator.comparing((node) -> node.substring(node.length() - 10)))
			.filter(worker::is)
			.isEmpty();
	}

	/** Nodes, and those that contain them: the servers delete these a little later. */
	@Override
	public Set<String> leftovers() {
		return children(ROOT).stream().filter((name) -> !SESSIONS.endsWith(name)).collect(Collectors.toSet());
	}

	@Override
	public List<String> tokensAhead(long micros) {
		return List.of();
	}

	@Override
	public int subscribedWorkers() {
		return children(SESSIONS).size();
	}

	@Override
	public long requests() {
		return this.ensemble.servers().stream().mapToLong((server) -> server.figure("zk_packets_received")).sum();
	}

	@Override
	public String diagnostics() {
		return this.ensemble.servers()
			.stream()
			.map((server) -> server + ":\n" + reply(server, "srvr") + reply(server, "dump") + reply(server, "wchp"))
			.collect(Collectors.joining("\n"));
	}

	private static String reply(EnsembleServer server, String command) {
		try {
			return server.query(command);
		}
		catch (UncheckedIOException ex) {
			return ex + "\n";
		}
	}

	private List<String> children(String path) {
		try {
			return this.client.getChildren().forPath(path);
		}
		catch (NoNodeException ex) {
			return List.of();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.holder.close();
		this.other.close();
		this.client.close();
		this.networks.forEach(RedisProxy::close);
		this.ensemble.close();
	}

}
