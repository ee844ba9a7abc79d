package io.github.lockboot.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.OutageLog;
import io.github.lockboot.concurrent.StageFailure;

/**
 * The connection to the ensemble. Curator connects, and begins another session after a
 * session has expired. A session can be used once its node for heartbeats is created.
 * Thread-safe.
 */
final class Ensemble implements ZookeeperFactory {

	private static final Log logger = LogFactory.getLog(Ensemble.class);

	/**
	 * The name of the node of the sessions, with a character that no encoded name of a
	 * lock has.
	 */
	static final String SESSIONS = "/@sessions";

	private static final String NO_REPLY = "no reply";

	private static final int DIAGNOSIS_MILLIS = 500;

	private static final long DIAGNOSIS_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(5);

	/** The shortest safe one if a tick, which clients do not know, has the default. */
	private static final Duration SAFE_WITH_DEFAULT_TICKS = Duration.ofSeconds(8);

	private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final ZookeeperLockSettings settings;

	private final MonotonicClock clock;

	private final String instance;

	private final Listener listener;

	private final List<ACL> acl;

	private final CuratorFramework curator;

	private final AtomicInteger sessions = new AtomicInteger();

	/** Completed with the reason why no lock can be acquired, or with {@code null}. */
	private final CompletableFuture<@Nullable String> firstSession = new CompletableFuture<>();

	private volatile @Nullable OutageLog outage;

	private volatile @Nullable Session session;

	/** Why the latest session was refused; {@code null} after one that was not. */
	private volatile @Nullable String refusal;

	private volatile boolean closed;

	private volatile boolean leavesSession;

	Ensemble(ZookeeperLockSettings settings, Consumer<CuratorFrameworkFactory.Builder> customizer, MonotonicClock clock,
			String instance, Listener listener) {
		this.settings = settings;
		this.clock = clock;
		this.instance = instance;
		this.listener = listener;
		this.acl = (settings.acl() == ZookeeperLockSettings.Acl.CREATOR) ? ZooDefs.Ids.CREATOR_ALL_ACL
				: ZooDefs.Ids.OPEN_ACL_UNSAFE;
		this.curator = curator(settings, customizer, this);
	}

	/**
	 * Create the Curator client, without retries, because the engine repeats the requests
	 * of locks.
	 */
	private static CuratorFramework curator(ZookeeperLockSettings settings,
			Consumer<CuratorFrameworkFactory.Builder> customizer, ZookeeperFactory factory) {
		ZKClientConfig config = new ZKClientConfig();
		settings.clientProperties().forEach(config::setProperty);
		CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
			.connectionTimeoutMs((int) settings.connectionTimeout().toMillis())
			.zkClientConfig(config);
		String auth = settings.auth();
		if (auth != null) {
			int end = auth.indexOf(':');
			builder.authorization(auth.substring(0, end), auth.substring(end + 1).getBytes(StandardCharsets.UTF_8));
		}
		customizer.accept(builder);
		return builder.connectString(settings.connectString())
			.sessionTimeoutMs((int) settings.sessionTimeout().toMillis())
			.retryPolicy(new RetryOneTime(1))
			.zookeeperFactory(factory)
			.ensembleTracker(false)
			.build();
	}

	/**
	 * Connect.
	 * @throws LockUnavailableException if the connection takes too long, or the ensemble
	 * refuses it
	 */
	void start() {
		String obstacle = connect();
		if (obstacle != null) {
			close(false);
			if (obstacle.equals(NO_REPLY)) {
				obstacle = "it did not reply within " + this.settings.connectionTimeout().toMillis()
						+ " ms (lock.zookeeper.connection-timeout): " + servers();
			}
			throw new LockUnavailableException(null,
					"The ZooKeeper of the locks (" + this.settings.connectString() + ") can't be used: " + obstacle,
					null);
		}
		if (this.settings.sessionTimeout().compareTo(SAFE_WITH_DEFAULT_TICKS) < 0) {
			logger.warn("lock.zookeeper.session-timeout is " + this.settings.sessionTimeout().toMillis()
					+ " ms: locks in ZooKeeper are safe only if the timeout is at least 4 ticks of the servers,"
					+ " 2000 ms each by default");
		}
	}

	/** Connect, and return why that is not possible. */
	private @Nullable String connect() {
		try {
			new ConnectStringParser(this.settings.connectString()); // Curator logs it
			this.curator.start();
			if (!FutureWait.await(this.firstSession, this.settings.connectionTimeout())) {
				this.firstSession.complete(NO_REPLY);
			}
			return FutureWait.get(this.firstSession);
		}
		catch (IllegalArgumentException ex) {
			return "the connect string is invalid: " + ex.getMessage();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			this.firstSession.complete("the start was interrupted");
			return "the start was interrupted";
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The start is never completed exceptionally", ex);
		}
	}

	/** Describe the servers of the connect string, as far as known. */
	private String servers() {
		boolean secure = Boolean.parseBoolean(this.settings.clientProperties().get(ZKClientConfig.SECURE_CLIENT));
		return new ConnectStringParser(this.settings.connectString()).getServerAddresses()
			.parallelStream()
			.map((server) -> diagnosis(server, secure))
			.collect(Collectors.joining("; "));
	}

	private static String diagnosis(InetSocketAddress server, boolean secure) {
		String name = server.getHostString() + ":" + server.getPort();
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress(server.getHostString(), server.getPort()), DIAGNOSIS_MILLIS);
			if (!secure && isReadOnly(socket)) {
				return name + " is in read-only mode, in which no lock can be acquired, because it is cut off from the"
						+ " majority of the servers: start them, or restore the network between them";
			}
			return name + " accepts connections but no session: the server may be frozen or without a quorum, the"
					+ " port may belong to another service, or the server and"
					+ " lock.zookeeper.client-properties may differ in TLS";
		}
		catch (UnknownHostException ex) {
			return name + " is an unknown host (lock.zookeeper.connect-string)";
		}
		catch (IOException ex) {
			return name + " can't be connected (lock.zookeeper.connect-string): " + ex.getMessage();
		}
	}

	/** Ask a server in words that a server in read-only mode always knows. */
	private static boolean isReadOnly(Socket socket) {
		try {
			socket.setSoTimeout(DIAGNOSIS_MILLIS);
			socket.getOutputStream().write("isro".getBytes(StandardCharsets.US_ASCII));
			return new String(socket.getInputStream().readNBytes(2), StandardCharsets.US_ASCII).equals("ro");
		}
		catch (IOException ex) {
			return false; // no reply
		}
	}

	// ---- sessions

	/**
	 * Create a client. Curator calls this method for the first session and after the end
	 * of each session.
	 */
	@Override
	public ZooKeeper newZooKeeper(String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly)
			throws Exception {
		return newZooKeeper(connectString, sessionTimeout, watcher, canBeReadOnly, new ZKClientConfig());
	}

	@Override
	public ZooKeeper newZooKeeper(String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly,
			ZKClientConfig config) throws Exception {
		Session former = this.session;
		if (former != null) {
			end(former, "the session has expired");
		}
		int number = this.sessions.incrementAndGet();
		Session next = new Session(number, this.settings.root() + SESSIONS + "/" + this.instance + "-" + number,
				NodeData.thisProcess(this.settings.lockDefaults().application()).getBytes(StandardCharsets.UTF_8),
				this.acl, this.clock, this.settings.replyTimeout().toNanos());
		String refusal = this.refusal;
		if (refusal != null) {
			next.obstacle(refusal);
		}
		this.session = next;
		SessionClient client = new SessionClient(connectString, sessionTimeout,
				(event) -> watcher.process(changed(next, event)), config,
				(int) this.settings.connectionTimeout().toMillis(), () -> this.leavesSession);
		next.start(client);
		if (this.closed) { // meanwhile
			client.close();
		}
		return client;
	}

	private WatchedEvent changed(Session session, WatchedEvent event) {
		// the client reports a login that it refuses to try without a state
		WatchedEvent known = (event.getState() != null) ? event
				: new WatchedEvent(EventType.None, KeeperState.AuthFailed, null);
		if (known.getType() == EventType.None) {
			changed(session, known.getState());
		}
		return known;
	}

	private void changed(Session session, KeeperState state) {
		switch (state) {
			case SyncConnected -> {
				logEndOfOutage();
				session.connected(true);
				if (session.isOpen() && session.timeoutMillis() == this.settings.sessionTimeout().toMillis()) {
					this.listener.connected(session);
				}
				else { // servers may have other limits
					open(session);
				}
			}
			case Disconnected -> {
				session.connected(false);
				logOutage();
			}
			case AuthFailed -> refused(session,
					"it refuses the credentials (lock.zookeeper.auth). With SASL and"
							+ " DIGEST-MD5 the client refuses them itself, unless lock.zookeeper.client-properties has"
							+ " [zookeeper.fips-mode]=false");
			case Expired, Closed -> end(session, "the session has expired");
			default -> {
			}
		}
	}

	private void logOutage() {
		if (this.outage == null) {
			OutageLog begun = new OutageLog("ZooKeeper (" + this.settings.connectString() + ")", "locks",
					this.clock::nanoTime);
			this.outage = begun;
			this.clock.schedule(this.clock.nanoTime() + OutageLog.PATIENCE_NANOS, () -> diagnose(begun));
		}
	}

	/** Find out from time to time why no server accepts the session. */
	private void diagnose(OutageLog present) {
		if (this.outage == present && !this.closed) {
			new DaemonThreads("lock-zookeeper").execute(() -> { // waits for the servers
				present.connectionFailed(servers());
				if (this.outage == present) {
					present.check();
				}
				this.clock.schedule(this.clock.nanoTime() + DIAGNOSIS_PERIOD_NANOS, () -> diagnose(present));
			});
		}
	}

	/** Count a failed call of a user. */
	void callFailed() {
		OutageLog present = this.outage;
		if (present != null) {
			present.callFailed();
		}
	}

	private void logEndOfOutage() {
		OutageLog ended = this.outage;
		this.outage = null;
		if (ended != null) {
			ended.ended();
		}
	}

	private void open(Session session) {
		int granted = session.timeoutMillis();
		long wanted = this.settings.sessionTimeout().toMillis();
		if (granted != wanted) {
			refused(session,
					"it grants a session timeout of " + granted + " ms instead of the " + wanted
							+ " ms of lock.zookeeper.session-timeout. Set a timeout that the ensemble allows:"
							+ " maxSessionTimeout is 20 ticks by default. Fewer than 4 ticks are not safe, although"
							+ " minSessionTimeout is 2 ticks");
			return;
		}
		session.createHeartbeat()
			.thenCompose((created) -> checkRights(session, this.settings.root()))
			.thenCompose((checked) -> checkRights(session, this.settings.root() + SESSIONS))
			.whenComplete((checked, failure) -> opened(session, failure));
	}

	/**
	 * Check the rights to a node that already existed. Users that may change the node may
	 * create and delete nodes below it, so that the nodes of this user would not be
	 * protected.
	 */
	CompletableFuture<Void> checkRights(Session session, String path) {
		CompletableFuture<Void> checked = new CompletableFuture<>();
		if (this.settings.acl() == ZookeeperLockSettings.Acl.OPEN) {
			checked.complete(null);
			return checked;
		}
		session.client().getACL(path, new Stat(), (code, asked, ctx, rights, stat) -> {
			boolean hidden = code == Code.NOAUTH.intValue();
			session.answer(checked, path, hidden ? Code.OK.intValue() : code, () -> {
				if (!hidden && rights.stream().anyMatch(Ensemble::letsEverybodyChange)) {
					throw new NotExecutedException("everyone may create and delete nodes in " + path
							+ ", so that lock.zookeeper.acl=creator would protect no node. Set"
							+ " lock.zookeeper.root to a new root, or restrict the rights of the present"
							+ " root and all nodes below it, or set lock.zookeeper.acl=open");
				}
				return null;
			});
		}, null);
		return checked;
	}

	private static boolean letsEverybodyChange(ACL right) {
		return right.getId().equals(ZooDefs.Ids.ANYONE_ID_UNSAFE) && (right.getPerms() & ~ZooDefs.Perms.READ) != 0;
	}

	/** Return whether a session is current, and the start has not failed. */
	private boolean isInUse(Session session) {
		return session == this.session && this.firstSession.getNow(null) == null && !this.closed;
	}

	private void opened(Session session, @Nullable Throwable failure) {
		if (!isInUse(session)) {
			return;
		}
		if (failure == null) {
			session.obstacle(null);
			this.refusal = null;
			this.firstSession.complete(null);
			this.listener.connected(session);
		}
		else {
			Throwable cause = StageFailure.cause(failure);
			if (Session.is(cause, Code.SESSIONEXPIRED)) {
				return; // Curator begins the next session
			}
			if (!Session.is(cause, Code.CONNECTIONLOSS)) { // opened again once connected
				refused(session, reason(cause));
			}
		}
	}

	private static String reason(Throwable failure) {
		if (failure instanceof NotExecutedException) {
			return String.valueOf(failure.getMessage());
		}
		String reason = "its nodes can't be created: " + failure.getMessage();
		if (!(failure instanceof KeeperException ex)) {
			return reason;
		}
		return switch (ex.code()) {
			case NOAUTH -> "its user has no right to create nodes in " + ex.getPath()
					+ " (lock.zookeeper.root, lock.zookeeper.auth)";
			case NONODE ->
				"the path of the connect string (lock.zookeeper.connect-string) or of lock.zookeeper.root does"
						+ " not exist, and the user may lack the right to create it";
			case INVALIDACL -> "it does not know the user to whom the nodes shall belong (lock.zookeeper.acl=creator,"
					+ " lock.zookeeper.auth)";
			default -> reason;
		};
	}

	/**
	 * End a session in which no lock can be acquired, and begin the next one after a
	 * pause. The ensemble would keep the session and its nodes, and a client whose login
	 * was refused never connects again.
	 */
	private void refused(Session session, String obstacle) {
		if (!this.firstSession.complete(obstacle) && !obstacle.equals(this.refusal)) {
			logger.warn("No lock can be acquired in ZooKeeper: " + obstacle);
		}
		this.refusal = obstacle;
		end(session, obstacle);
		if (isInUse(session)) {
			this.clock.schedule(this.clock.nanoTime() + RETRY_NANOS, () -> replace(session));
		}
	}

	/** Close a session that cannot be used, and begin the next one. */
	private void replace(Session session) {
		new DaemonThreads("lock-zookeeper").execute(() -> { // waits for the ensemble
			if (isInUse(session) && !session.isOpen()) {
				try {
					this.curator.getZookeeperClient().reset();
				}
				catch (Exception ex) {
					logger.debug("Curator creates the client later", ex);
				}
			}
		});
	}

	private void end(Session session, String reason) {
		session.connected(false);
		session.obstacle(reason);
		this.listener.expired(session);
	}

	/**
	 * Return the current session.
	 * @throws NotExecutedException if no request can be sent
	 */
	Session session() {
		Session session = current();
		if (!session.isUsable()) {
			OutageLog present = this.outage;
			String servers = (present != null) ? present.connectionError() : "";
			throw new NotExecutedException(
					"ZooKeeper can't be reached: " + session.reason() + (servers.isEmpty() ? "" : ". " + servers));
		}
		return session;
	}

	boolean isUsable() {
		return current().isUsable();
	}

	/** Return the current session, which may not be usable. */
	Session current() {
		return Objects.requireNonNull(this.session, "not started");
	}

	/**
	 * Close the connection.
	 * @param leaveSession whether the session and its locks are left to expire
	 */
	void close(boolean leaveSession) {
		this.leavesSession = leaveSession;
		this.closed = true;
		this.curator.close();
	}

	/** Receives the events of the sessions, on the thread of their replies. */
	interface Listener {

		/** Called when a session has begun, or when its connection is restored. */
		void connected(Session session);

		void expired(Session session);

	}

}
