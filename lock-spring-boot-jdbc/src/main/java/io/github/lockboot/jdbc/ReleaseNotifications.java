package io.github.lockboot.jdbc;

import java.lang.reflect.Method;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
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
 * one channel, each over its own connection, which is tested repeatedly. Without such a
 * connection callers poll. Thread-safe.
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

	private final JdbcLockSettings settings;

	private final String channel;

	private volatile boolean working;

	private volatile boolean closed;

	ReleaseNotifications(DataSource dataSource, JdbcLockSettings settings) {
		this.dataSource = dataSource;
		this.settings = settings;
		String table = settings.table().toLowerCase(Locale.ROOT);
		this.channel = table.substring(Math.max(0, table.length() - LONGEST_CHANNEL));
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
		boolean delivered = true;
		while (delivered && !this.closed) {
			try (LockConnection connection = LockConnection.open(this.dataSource, this.settings)) {
				delivered = listen(connection, pushes);
			}
			catch (ClassNotFoundException ex) {
				return; // another driver
			}
			catch (SQLException | ReflectiveOperationException | RuntimeException | LinkageError ex) {
				logger.debug("The connection for notifications of released locks has failed", ex);
			}
			finally {
				this.working = false;
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TURN_MILLIS));
		}
	}

	/**
	 * Listen for notifications until the connection fails, or return false if it can't
	 * have any.
	 */
	private boolean listen(LockConnection connection, LockPushes pushes)
			throws SQLException, ReflectiveOperationException {
		Class<?> type = Class.forName(DRIVER);
		Object driver = connection.unwrap(type);
		if (!isOwnSession(connection, type.getMethod("getBackendPID").invoke(driver))) {
			logger.warn("PostgreSQL does not deliver notifications to this application, because it is behind a"
					+ " connection pooler. Callers that wait for a lock of another instance poll. To have these"
					+ " callers notified, let lock.jdbc.data-source connect to the server directly.");
			return false;
		}
		connection.update("LISTEN \"" + this.channel + "\"");
		this.working = true;
		try {
			receive(connection, driver, type.getMethod("getNotifications", int.class), pushes);
		}
		finally {
			connection.update("UNLISTEN \"" + this.channel + "\"");
		}
		return true;
	}

	/**
	 * Return whether the server has the session that the driver has opened. A pooler has
	 * sessions of its own, which would in the end listen for others.
	 */
	private static boolean isOwnSession(LockConnection connection, Object process) throws SQLException {
		return connection.query((rows) -> rows.next() && process.equals(rows.getInt(1)), "SELECT pg_backend_pid()");
	}

	private void receive(LockConnection connection, Object driver, Method receive, LockPushes pushes)
			throws ReflectiveOperationException {
		Method payloadOf = Class.forName(NOTIFICATION).getMethod("getParameter");
		long testedNanos = System.nanoTime();
		while (!this.closed) {
			Object received = receive.invoke(driver, TURN_MILLIS);
			for (Object notification : (received != null) ? (Object[]) received : NOTHING) {
				accept(String.valueOf(payloadOf.invoke(notification)), pushes);
			}
			if (System.nanoTime() - testedNanos > TEST_INTERVAL_NANOS) {
				if (!connection.isAlive()) {
					return;
				}
				testedNanos = System.nanoTime();
			}
		}
	}

	private void accept(String payload, LockPushes pushes) {
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
