package io.github.lockboot.jdbc;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.LockState;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.StoreTraits;
import io.github.lockboot.fencing.SqlStates;
import io.github.lockboot.jdbc.LockConnection.Work;

/**
 * Leases in a table of a relational database. An exclusive lock is renewed and released
 * with one statement each, and acquired as described in {@link ExclusiveAttempt}. A
 * shared lock is changed in a transaction, in which the row of the lock is the mutex.
 * Waiters poll, and in PostgreSQL {@link ReleaseNotifications} wake them. The calls of
 * owners have their own connection, so that callers that wait for a row never delay a
 * renewal. Thread-safe.
 */
final class JdbcLockStore implements LockStore, LockAdministration {

	private static final StoreTraits TRAITS = new StoreTraits("a database", StoreTraits.Tokens.TIMES,
			StoreTraits.Waiting.POLLING, StoreTraits.Leases.LOCK, StoreTraits.ALL_KINDS, true);

	private static final long SHORTEST_BLOCK_NANOS = TimeUnit.SECONDS.toNanos(1);

	/**
	 * The thread group of all virtual threads, according to the documentation of
	 * {@link Thread}.
	 */
	private static final String VIRTUAL_THREADS = "VirtualThreads";

	private static final long TOUCHED_AFTER_MICROS = TimeUnit.HOURS.toMicros(12);

	private final DatabaseHealth health;

	private final LockWorkers callers;

	private final LockWorkers owners;

	private final LeaseRenewals renewals;

	private final IdleRows idleRows;

	private final ReleaseNotifications notifications;

	private final DatabaseDialect dialect;

	/** The releases without a reply, the last one of each lock. */
	private final Map<String, CompletionStage<ReleaseReply>> releasing = new ConcurrentHashMap<>();

	private final MonotonicClock clock;

	private final long timeoutNanos;

	private final JdbcLockSettings.Strategy strategy;

	private final @Nullable String application;

	private final Requester process;

	private final String instance = LockStore.newInstance();

	/** The encoding of the names of locks, once a connection was open. */
	private volatile @Nullable Charset encoding;

	JdbcLockStore(DataSource dataSource, MonotonicClock clock, JdbcLockSettings settings, DatabaseDialect dialect) {
		this.health = new DatabaseHealth(new DatabaseCures(settings.table()));
		this.clock = clock;
		this.timeoutNanos = settings.statementTimeout().toNanos();
		this.strategy = settings.strategy();
		this.application = settings.lockDefaults().application();
		this.process = Requester.thisProcess(this.application);
		LockWorkers.Connector connector = () -> {
			LockConnection connection = LockConnection.open(dataSource, settings);
			this.encoding = connection.encoding();
			return connection;
		};
		this.callers = new LockWorkers("lock-jdbc", 2, connector, this.health);
		this.owners = new LockWorkers("lock-jdbc-owner", 1, connector, this.health);
		this.renewals = new LeaseRenewals(this.owners, clock);
		this.idleRows = new IdleRows(this.callers, clock);
		this.idleRows.start();
		this.notifications = new ReleaseNotifications(dataSource, settings);
		this.dialect = dialect;
	}

	@Override
	public void listen(LockPushes pushes) {
		if (this.dialect.hasNotifications()) {
			this.notifications.start(pushes);
		}
	}

	@Override
	public StoreTraits traits() {
		return TRAITS;
	}

	@Override
	public String instance() {
		return this.instance;
	}

	@Override
	public void requireName(String lock) {
		Charset encoding = this.encoding;
		if (encoding != null && !StandardCharsets.UTF_8.equals(encoding)) {
			CharsetEncoder encoder = encoding.newEncoder();
			Assert.isTrue(encoder.canEncode(lock),
					() -> "Lock '" + lock + "' can't be kept in this database: the encoding " + encoding + " of"
							+ " the database lacks characters of the name. Use other characters, or keep the"
							+ " locks in a database with the encoding UTF8");
		}
	}

	@Override
	public CompletionStage<AcquireReply> acquire(LockAttempt attempt, long seenToken, Queueing queueing,
			long blockNanos) {
		boolean notified = queueing.wanted() && this.notifications.isWorking(attempt.lock());
		Work<AcquireReply> work = (attempt.permits() == 1)
				? exclusive(new ExclusiveAttempt(attempt, this.process.of(attempt, this.application), seenToken,
						queueing.wanted(), notified))
				: (connection) -> SharedLocks.acquire(connection, attempt, seenToken, queueing.wanted(), notified);
		LockWorkers workers = this.releasing.containsKey(attempt.lock()) ? this.owners : this.callers;
		Work<AcquireReply> task = (connection) -> busyIfLocked(connection, work);
		if (!mayBlock(blockNanos)) {
			return execute(workers, task);
		}
		CompletableFuture<AcquireReply> reply = new CompletableFuture<>();
		long limitNanos = Math.min(blockNanos, this.timeoutNanos);
		long endNanos = this.clock.nanoTime() + limitNanos;
		if (!workers.executeHere(reply, task, limitNanos)) {
			workers.execute(reply, task);
		}
		return reply.isDone() ? reply : limited(reply, endNanos - this.clock.nanoTime(), limitNanos);
	}

	/**
	 * Return whether the calling thread may block. A limit that a healthy database may
	 * exceed would cost the connection, as would the interruption of a virtual thread.
	 * The interruption of any thread closes a database in a file.
	 */
	private boolean mayBlock(long blockNanos) {
		Thread thread = Thread.currentThread();
		return blockNanos >= Math.min(SHORTEST_BLOCK_NANOS, this.timeoutNanos) && this.dialect != DatabaseDialect.H2
				&& !VIRTUAL_THREADS.equals(thread.getThreadGroup().getName());
	}

	/**
	 * Reply busy if the row is locked, because the holder's transaction locks the row
	 * before its commit.
	 */
	private static AcquireReply busyIfLocked(LockConnection connection, Work<AcquireReply> work) throws SQLException {
		try {
			return work.run(connection);
		}
		catch (SQLException ex) {
			if (SqlStates.isRowLocked(ex)) {
				return new AcquireReply.Busy(0);
			}
			throw ex;
		}
	}

	private Work<AcquireReply> exclusive(ExclusiveAttempt attempt) {
		return (this.strategy == JdbcLockSettings.Strategy.OPTIMISTIC) ? attempt::optimistic : attempt::pessimistic;
	}

	@Override
	public CompletionStage<RenewReply> renew(LockAttempt attempt) {
		CompletableFuture<RenewReply> reply = limited(
				Math.min(this.timeoutNanos, TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis()) / 4));
		this.renewals.renew(attempt, reply);
		return reply;
	}

	/**
	 * Release the lock. The next request of this JVM follows on the same connection: this
	 * request finds the lock free, and no other thread has to be woken.
	 */
	@Override
	public CompletionStage<ReleaseReply> release(LockAttempt attempt, long usedToken, long keptMillis) {
		return (keptMillis > 0) ? releaseLater(attempt.withLeaseMillis(keptMillis), usedToken)
				: release(attempt, usedToken);
	}

	private CompletionStage<ReleaseReply> release(LockAttempt attempt, long usedToken) {
		this.renewals.flush(attempt);
		CompletableFuture<ReleaseReply> reply = limited(this.timeoutNanos);
		this.owners.executeBriefly(reply, (connection) -> {
			LockTable table = connection.table();
			int released = connection.update(table.leases.release, usedToken, usedToken, table.key(attempt.lock()),
					attempt.id());
			return (released == 1) ? ReleaseReply.UNAWAITED : released(releaseAwaited(connection, attempt, usedToken));
		});
		this.releasing.put(attempt.lock(), reply);
		return reply.whenComplete((released, failure) -> this.releasing.remove(attempt.lock(), reply));
	}

	/** Release a lock for which others wait, or which others share. */
	private boolean releaseAwaited(LockConnection connection, LockAttempt attempt, long usedToken) throws SQLException {
		LockTable table = connection.table();
		boolean released = connection.update(table.leases.releaseAwaited, usedToken, usedToken,
				table.key(attempt.lock()), attempt.id()) == 1 || SharedLocks.release(connection, attempt);
		if (released) {
			this.notifications.send(connection, attempt.lock());
		}
		return released;
	}

	private CompletionStage<ReleaseReply> releaseLater(LockAttempt attempt, long usedToken) {
		this.renewals.flush(attempt);
		return execute(this.owners, (connection) -> {
			LockTable table = connection.table();
			int kept = connection.update(table.leases.releaseLater, LockTable.leaseMicros(attempt), usedToken,
					usedToken, table.key(attempt.lock()), attempt.id());
			this.notifications.send(connection, attempt.lock());
			return released(kept == 1 || SharedLocks.renew(connection, attempt) instanceof RenewReply.Renewed);
		});
	}

	private static ReleaseReply released(boolean released) {
		return released ? ReleaseReply.RELEASED : ReleaseReply.NOT_OWNER;
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockAttempt attempt, long usedToken) {
		this.renewals.flush(attempt);
		return execute(this.owners, (connection) -> {
			RenewReply reply = SharedLocks.downgrade(connection, attempt, usedToken);
			this.notifications.send(connection, attempt.lock());
			return reply;
		});
	}

	@Override
	public LockAdministration administration() {
		return this;
	}

	@Override
	public CompletionStage<Boolean> forceRelease(String lock) {
		return execute(this.callers, (connection) -> {
			boolean released = SharedLocks.forceRelease(connection, lock);
			this.notifications.send(connection, lock);
			return released;
		});
	}

	@Override
	public CompletionStage<LockState> inspect(String lock) {
		return executeTwice((connection) -> SharedLocks.inspect(connection, lock));
	}

	@Override
	public CompletionStage<List<String>> list(String pattern, String after, int most) {
		CompletableFuture<List<String>> reply = limited(HeldRows.LIMIT_NANOS);
		new HeldRows(pattern, most, this::executeTwice, reply).readAfter(after);
		return reply;
	}

	/**
	 * Create the row of a lock that transactions hold, unless it exists. A row in use
	 * never becomes idle.
	 */
	CompletionStage<Boolean> createRow(String lock) {
		requireName(lock);
		return executeTwice((connection) -> {
			LockTable table = connection.table();
			Object name = table.keyForTransactions(lock);
			LockRow row = connection.query(LockRow::read, table.select, name);
			if (!row.exists()) {
				return connection.update(table.insertForTransactions, name) == 1;
			}
			return row.leftMicros() < -TOUCHED_AFTER_MICROS && connection
				.inTransaction((transaction) -> transaction.query(LockRow::read, table.selectUnlocked, name).exists()
						&& transaction.update(table.touch, name) == 1);
		});
	}

	@Override
	public FailedCall failureOf(Throwable failure) {
		Throwable cause = StageFailure.cause(failure);
		if (cause instanceof SQLException ex && SqlStates.isConnectionLost(ex)) {
			return FailedCall.CUT;
		}
		boolean refused = cause instanceof NotExecutedException
				|| (cause instanceof SQLException ex && SqlStates.isRefusal(ex));
		return refused ? FailedCall.REFUSED : FailedCall.UNKNOWN;
	}

	/** Execute work that may be executed twice. */
	private <T> CompletionStage<T> executeTwice(Work<T> work) {
		return execute(this.callers, work).exceptionallyCompose((failure) -> failureOf(failure) == FailedCall.CUT
				? execute(this.callers, work) : CompletableFuture.failedStage(failure));
	}

	private <T> CompletionStage<T> execute(LockWorkers workers, Work<T> work) {
		CompletableFuture<T> reply = limited(this.timeoutNanos);
		workers.execute(reply, work);
		return reply;
	}

	private <T> CompletableFuture<T> limited(long limitNanos) {
		return limited(new CompletableFuture<>(), limitNanos, limitNanos);
	}

	/** Let a reply fail after the rest of a time limit. */
	private <T> CompletableFuture<T> limited(CompletableFuture<T> reply, long leftNanos, long limitNanos) {
		return this.clock.limit(reply, leftNanos, () -> new SQLTimeoutException(
				"The database did not reply within " + TimeUnit.NANOSECONDS.toMillis(limitNanos) + " ms"));
	}

	IdleRows idleRows() {
		return this.idleRows;
	}

	@Override
	public void callFailed(String lock) {
		this.health.callFailed();
	}

	@Override
	public void close() {
		this.notifications.close();
		this.callers.close();
		this.owners.close();
		this.renewals.close();
	}

}
