package io.github.lockboot.fencing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

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

	private final Set<String> admitted = new HashSet<>();

	private volatile boolean ended;

	FencedTransaction(DefaultTransactionStatus status, DataSource dataSource, @Nullable FencedTransaction newest) {
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

	void admitted(List<String> keys) {
		this.admitted.addAll(keys);
	}

	/** Return whether it keeps later holders out no longer. */
	boolean isEnded() {
		return this.ended || this.status.isCompleted();
	}

	/**
	 * Return whether this transaction, or one around it, keeps later holders of a lock
	 * out of the database of a connection.
	 */
	boolean keeps(String key, DataSource source, Connection connection) {
		for (FencedTransaction each = this; each != null; each = each.outer) {
			if (each.admitted.contains(key) && !each.isEnded() && each.isOn(source, connection)) {
				return true;
			}
		}
		return false;
	}

	private boolean isOn(DataSource source, Connection connection) {
		if (this.holder == null) {
			return false;
		}
		Connection own = this.holder.getConnection();
		try {
			return own == connection || (database(own).equals(database(connection))
					&& (this.dataSource == source || (Objects.equals(own.getCatalog(), connection.getCatalog())
							&& Objects.equals(own.getSchema(), connection.getSchema()))));
		}
		catch (SQLException ex) {
			return this.dataSource == source;
		}
	}

	/** Without the parameters of the URL. */
	private static String database(Connection connection) throws SQLException {
		return String.valueOf(connection.getMetaData().getURL()).split("[?;]", 2)[0];
	}

	@Override
	public void afterCommit() {
		this.ended = true;
	}

	@Override
	public void afterCompletion(int completion) {
		this.ended = true;
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

}
