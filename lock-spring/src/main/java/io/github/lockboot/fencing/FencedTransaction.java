package io.github.lockboot.fencing;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;

/**
 * A transaction, and the locks whose holders it has admitted. It is told of its end
 * before all others are: what they do then is not part of it.
 */
final class FencedTransaction implements TransactionSynchronization {

	private final DefaultTransactionStatus status;

	private final DataSource dataSource;

	private final @Nullable ConnectionHolder holder;

	private final @Nullable FencedTransaction outer;

	/** What is told of the end, and of the end of an inner transaction. */
	private final TransactionFence fence;

	/** The locks whose rows it has locked. */
	private final Map<String, Admitted> admitted = new TreeMap<>();

	/** The locks whose rows a transaction around it has locked, with their tokens. */
	private final Map<String, Long> joined = new HashMap<>();

	/** The keys and names of the locks whose rows were unlocked before its end. */
	private final Map<String, String> lost = new HashMap<>();

	/** What has to be stored after its end, unless its commit does so. */
	private final Map<String, Unsettled> unsettled = new HashMap<>();

	private volatile boolean ended;

	FencedTransaction(TransactionFence fence, DefaultTransactionStatus status, DataSource dataSource,
			@Nullable FencedTransaction newest) {
		this.fence = fence;
		this.status = status;
		this.dataSource = dataSource;
		this.holder = (status.getTransaction() instanceof JdbcTransactionObjectSupport object
				&& object.hasConnectionHolder()) ? object.getConnectionHolder() : null;
		FencedTransaction open = newest;
		while (open != null && open.isEnded()) { // another thread may end one
			open = open.outer;
		}
		this.outer = open;
	}

	DefaultTransactionStatus status() {
		return this.status;
	}

	DataSource dataSource() {
		return this.dataSource;
	}

	/** Return its connection, {@code null} if it is none of JDBC. */
	@Nullable ConnectionHolder holder() {
		return this.holder;
	}

	@Nullable FencedTransaction outer() {
		return this.outer;
	}

	/**
	 * Remember a row.
	 * @param shared whether inner transactions can lock the row, too
	 * @param early whether it was locked before the first statement of the caller
	 */
	void admitted(String lock, String key, long token, boolean shared, boolean early) {
		this.admitted.put(key, new Admitted(lock, token, shared, early));
	}

	void joined(String key, long token) {
		this.joined.put(key, token);
	}

	/**
	 * Return whether a holder needs no statement. One that acquires the lock a second
	 * time has another token.
	 */
	boolean isFenced(String key, long token) {
		Admitted row = this.admitted.get(key);
		return this.joined.containsKey(key)
				|| (row != null && (row.token() >= token || this.unsettled.containsKey(key)));
	}

	@Nullable Admitted admitted(String key) {
		return this.admitted.get(key);
	}

	@Nullable Long joined(String key) {
		return this.joined.get(key);
	}

	long token(String key) {
		return Objects.requireNonNull(this.admitted.get(key)).token();
	}

	/** Forget the rows that a rollback to a savepoint may have unlocked. */
	void forgetLate() {
		this.admitted.values().removeIf((row) -> !row.early());
	}

	/**
	 * Remember that a row was not locked all the time.
	 * @param again whether it is now
	 */
	void lost(String key, boolean again) {
		Admitted row = again ? this.admitted.get(key) : this.admitted.remove(key);
		this.lost.put(key, Objects.requireNonNull(row).lock());
	}

	/** Return the names of locks whose rows were unlocked. */
	Collection<String> lost() {
		return this.lost.values();
	}

	/** Return the keys of the locks whose rows it has locked. */
	Set<String> keys() {
		return this.admitted.keySet();
	}

	/** Remember that a token has to be stored after the end of this transaction. */
	void settles(String lock, String key, long token) {
		this.unsettled.put(key, new Unsettled(lock, token));
	}

	Map<String, Unsettled> unsettled() {
		return this.unsettled;
	}

	/** Return whether it keeps later holders out no longer. */
	boolean isEnded() {
		return this.ended || this.status.isCompleted();
	}

	/** Return whether this transaction, or one around it, keeps later holders out. */
	boolean keeps(String key) {
		return (this.admitted.containsKey(key) && !isEnded()) || (this.outer != null && this.outer.keeps(key));
	}

	/**
	 * Return which of this transaction and those around it keeps later holders of a lock
	 * out of the database of a connection.
	 */
	@Nullable FencedTransaction keeper(String key, DataSource source, Connection connection) {
		for (FencedTransaction each = this; each != null; each = each.outer) {
			if (each.admitted.containsKey(key) && !each.isEnded() && each.isOn(source, connection)) {
				return each;
			}
		}
		return null;
	}

	private boolean isOn(DataSource source, Connection connection) {
		if (this.holder == null) {
			return false;
		}
		Connection own = this.holder.getConnection();
		try {
			return own == connection || (this.dataSource == source && url(own).equals(url(connection)))
					|| database(own).equals(database(connection));
		}
		catch (SQLException ex) { // a connection that executes nothing keeps nobody out
			return false;
		}
	}

	/** Return what a server says: several URLs may lead to it. */
	private static String database(Connection connection) throws SQLException {
		@Nullable String question = switch (connection.getMetaData().getDatabaseProductName()) {
			case "PostgreSQL" -> "SELECT CONCAT_WS(' ', pg_postmaster_start_time(), current_database(), to_regclass('"
					+ FenceTable.NAME + "')::oid)";
			case "MySQL", "MariaDB" -> "SELECT CONCAT_WS(' ', @@hostname, @@port, @@datadir, DATABASE())";
			default -> null;
		};
		if (question == null) {
			return url(connection) + " " + connection.getCatalog() + " " + connection.getSchema();
		}
		try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(question)) {
			row.next();
			return row.getString(1);
		}
	}

	/** Without the parameters. */
	private static String url(Connection connection) throws SQLException {
		return String.valueOf(connection.getMetaData().getURL()).split("[?;]", 2)[0];
	}

	@Override
	public void afterCommit() {
		this.ended = true;
	}

	@Override
	public void afterCompletion(int completion) {
		this.ended = true;
		this.fence.settle(this);
	}

	/** After an inner transaction, whose locks may still be held. */
	@Override
	public void resume() {
		this.fence.resumed(this);
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	/** A row of a lock. */
	record Admitted(String lock, long token, boolean shared, boolean early) {

	}

	/** A token that has to be stored. */
	record Unsettled(String lock, long token) {

	}

}
