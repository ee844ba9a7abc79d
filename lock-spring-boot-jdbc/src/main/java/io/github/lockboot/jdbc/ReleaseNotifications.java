package io.github.lockboot.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.engine.store.LockPushes;

/**
 * Notifies callers in other JVMs of a release, in PostgreSQL. A waiting caller writes the
 * end of its wait into the row, and a release notifies others only before that time. (In
 * other databases such a release only shows its JVM that others poll.) All JVMs listen to
 * one channel, each over its own connection, which is tested repeatedly, because a pooler
 * may swallow notifications. While no notifications arrive, callers poll. Thread-safe.
 */
final class ReleaseNotifications implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ReleaseNotifications.class);

	private static final long AWAITED_MICROS = TimeUnit.SECONDS.toMicros(5);

	/** Longer than the pause of a caller that is notified. */
	private static final long LEAST_AWAITED_MICROS = TimeUnit.SECONDS.toMicros(3);

	private static final int TURN_MILLIS = 1000;

	private static final long TEST_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

	private static final int LONGEST_CHANNEL = 63;

	/**
	 * The longest name, in characters; a payload of PostgreSQL has less than 8000 bytes.
	 */
	private static final int LONGEST_NAME = 1900;

	private static final String LOCK = "=";

	private static final Object[] NOTHING = {};

	/**
	 * The class of the driver, used by reflection because the driver belongs to the
	 * application.
	 */
	static final String DRIVER = "org.postgresql.PGConnection";

	static final String NOTIFICATION = "org.postgresql.PGNotification";

	private final DataSource dataSource;

	private final LockWorkers workers;

	private final JdbcLockSettings settings;

	private final String channel;

	private final String test;

	private final long longestTestNanos;

	private volatile boolean working;

	/**
	 * When the last test was sent, and whether the test has arrived; used by the
	 * listening thread only.
	 */
	private long testNanos;

	private boolean tested;

	private volatile boolean closed;

	ReleaseNotifications(DataSource dataSource, LockWorkers workers, JdbcLockSettings settings, String instance) {
		this.dataSource = dataSource;
		this.workers = workers;
		this.settings = settings;
		String table = settings.table().toLowerCase(Locale.ROOT);
		this.channel = table.substring(Math.max(0, table.length() - LONGEST_CHANNEL));
		this.test = "?" + instance;
		this.longestTestNanos = 2 * settings.statementTimeout().toNanos();
	}

	/** Return whether a release of a lock would be pushed to this JVM. */
	boolean isWorking(String lock) {
		return this.working && lock.length() <= LONGEST_NAME;
	}

	/**
	 * Let the next release of a held lock detect that somebody waits.
	 * @return whether the row was changed: the lock may have been released before
	 */
	static boolean await(LockConnection connection, Object name) throws SQLException {
		return connection.update(connection.table().leases.await, AWAITED_MICROS, name, LEAST_AWAITED_MICROS) == 1;
	}

	/** Return whether the next release will detect that somebody waits. */
	static boolean isAwaited(LockRow row) {
		return row.waitingMicros() >= LEAST_AWAITED_MICROS;
	}

	/**
	 * Notify the callers that wait for a lock, if there are any. If the notification
	 * fails, the callers poll; the release before it has succeeded.
	 */
	void send(LockConnection connection, String lock) {
		LockTable table = connection.table();
		if (!table.dialect().hasNotifications()) {
			return;
		}
		try {
			connection.query(ResultSet::next, table.leases.notifyWaiters, this.channel, LOCK + table.prefixed(lock),
					table.key(lock));
		}
		catch (SQLException | RuntimeException ex) {
			logger.debug("The release of lock '" + lock + "' could not be notified", ex);
		}
	}

	/** Push the notifications from now on. */
	void start(LockPushes pushes) {
		new DaemonThreads("lock-jdbc-notifications").execute(() -> run(pushes));
	}

	private void run(LockPushes pushes) {
		boolean worked = true;
		while (worked && !this.closed) {
			try (Connection connection = this.dataSource.getConnection()) {
				worked = listen(connection, pushes);
			}
			catch (ClassNotFoundException ex) {
				return; // another driver
			}
			catch (SQLException | ReflectiveOperationException | RuntimeException ex) {
				logger.debug("The connection for notifications of released locks has failed", ex);
			}
			finally {
				this.working = false;
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TURN_MILLIS));
		}
	}

	/** Listen for notifications, and return whether any have arrived. */
	private boolean listen(Connection connection, LockPushes pushes) throws SQLException, ReflectiveOperationException {
		Class<?> type = Class.forName(DRIVER);
		Method receive = type.getMethod("getNotifications", int.class);
		Method payloadOf = Class.forName(NOTIFICATION).getMethod("getParameter");
		Object driver = connection.unwrap(type);
		connection.setAutoCommit(true);
		try (Statement statement = connection.createStatement()) {
			statement.execute("LISTEN \"" + this.channel + "\"");
		}
		sendTest();
		while (!this.closed && !isTestLost()) {
			Object received = receive.invoke(driver, TURN_MILLIS);
			for (Object notification : (received != null) ? (Object[]) received : NOTHING) {
				accept(String.valueOf(payloadOf.invoke(notification)), pushes);
			}
			if (this.tested && System.nanoTime() - this.testNanos > TEST_INTERVAL_NANOS) {
				sendTest();
			}
		}
		if (!this.closed && !this.working) {
			logger.warn("PostgreSQL does not deliver notifications to this application, as happens behind a"
					+ " connection pooler in transaction mode. Callers that wait for a lock of another instance"
					+ " poll. To have these callers notified, let lock.jdbc.data-source connect to the server"
					+ " directly.");
		}
		return this.working;
	}

	/**
	 * Send a test over another connection, so that a pooler cannot pass the test on by
	 * chance.
	 */
	private void sendTest() {
		this.tested = false;
		this.testNanos = System.nanoTime();
		this.workers.execute(new CompletableFuture<>(),
				(connection) -> connection.query(ResultSet::next, "SELECT pg_notify(?, ?)", this.channel, this.test));
	}

	private boolean isTestLost() {
		return !this.tested && System.nanoTime() - this.testNanos > this.longestTestNanos;
	}

	private void accept(String payload, LockPushes pushes) {
		if (payload.equals(this.test)) {
			this.tested = true;
			this.working = true;
			return;
		}
		String prefix = LOCK + this.settings.keyPrefix();
		if (payload.startsWith(prefix)) {
			pushes.released(payload.substring(prefix.length()));
		}
	}

	@Override
	public void close() {
		this.closed = true;
	}

}
