package io.github.lockboot.faults;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

import io.github.lockboot.fixture.DatabaseServer;
import io.github.lockboot.fixture.DatabaseServer.Kind;
import io.github.lockboot.fixture.RedisProxy;

/**
 * A database server behind a network that delays or loses packets in one direction. Each
 * worker has another time zone.
 */
final class DatabaseTopology implements Topology {

	private static final String TABLE = "distributed_lock";

	private static final int MOST_CONNECTIONS = 300;

	private final DatabaseServer server;

	private final RedisProxy network;

	private final JdbcTemplate sql;

	/** Expression for the time. */
	private final String now;

	private DatabaseTopology(DatabaseServer server) {
		this.server = server;
		this.network = new RedisProxy(server);
		this.sql = new JdbcTemplate(server.administrator());
		this.now = (server.kind() == Kind.MARIADB) ? "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))"
				: "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000000 AS BIGINT)";
	}

	/**
	 * Start a server.
	 * @return the topology, or nothing if the database does not start on this machine
	 */
	static Optional<Topology> of(Kind kind) {
		try {
			return Optional.of(new DatabaseTopology(DatabaseServer.started(kind)));
		}
		catch (IOException | RuntimeException ex) {
			System.err.println("FaultsTests is LEFT OUT on " + kind + ": it does not start here: " + ex);
			return Optional.empty();
		}
	}

	@Override
	public Address address() {
		return new Address(Address.Kind.DATABASE, List.of(this.server.url(this.network.address())));
	}

	@Override
	public DatabaseServer masterOf(String lock) {
		return this.server;
	}

	@Override
	public List<DatabaseServer> servers() {
		return List.of(this.server);
	}

	@Override
	public Set<Fault> faults() {
		Set<Fault> faults = EnumSet.of(Fault.SERVER_KILLED, Fault.SERVER_FROZEN, Fault.DATA_LOST, Fault.HOLDER_KILLED,
				Fault.HOLDER_FROZEN, Fault.WAITER_KILLED, Fault.WAITER_FROZEN, Fault.CONNECTIONS_CUT,
				Fault.REQUESTS_LATE, Fault.ANSWERS_LATE, Fault.ANSWERS_LOST, Fault.OUTAGE_UNDER_LOAD,
				Fault.ROWS_LOCKED);
		if (this.server.kind() != Kind.H2) {
			faults.addAll(Set.of(Fault.READ_ONLY, Fault.CONNECTIONS_EXHAUSTED, Fault.TIME_ZONE_CHANGED));
		}
		return faults;
	}

	/** H2 writes commits to the disk half a second late. */
	@Override
	public boolean mayLoseLeases(Fault fault) {
		boolean kills = fault == Fault.SERVER_KILLED || fault == Fault.OUTAGE_UNDER_LOAD;
		return fault == Fault.DATA_LOST || (kills && this.server.kind() == Kind.H2);
	}

	@Override
	public void awaitHealthy() {
		this.sql.queryForObject("SELECT 1", Integer.class);
	}

	@Override
	public List<RedisProxy> networks() {
		return List.of(this.network);
	}

	@Override
	public void cutConnections(String lock) {
		this.network.cut();
	}

	@Override
	public Runnable makeReadOnly(String lock) {
		setReadOnly(true);
		return () -> setReadOnly(false);
	}

	private void setReadOnly(boolean readOnly) {
		if (this.server.kind() == Kind.MARIADB) {
			this.server.execute("SET GLOBAL read_only = " + readOnly);
		}
		else {
			this.server.execute("ALTER SYSTEM SET default_transaction_read_only = " + readOnly,
					"SELECT pg_reload_conf()");
		}
	}

	@Override
	public Runnable lockAllRows() {
		try {
			Connection connection = this.server.administrator().getConnection();
			connection.setAutoCommit(false);
			connection.createStatement().executeQuery("SELECT * FROM " + TABLE + " FOR UPDATE");
			return () -> close(connection);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public Runnable exhaustConnections() {
		List<Connection> all = new ArrayList<>();
		this.network.cut();
		try {
			while (all.size() < MOST_CONNECTIONS) {
				all.add(this.server.dataSource().getConnection());
			}
		}
		catch (SQLException ex) {
			// too many
		}
		return () -> all.forEach(DatabaseTopology::close);
	}

	private static void close(Connection connection) {
		try {
			connection.close();
		}
		catch (SQLException ex) {
			// another fault has cut it
		}
	}

	@Override
	public void changeTimeZone() {
		if (this.server.kind() == Kind.MARIADB) {
			this.server.execute("SET GLOBAL time_zone = IF(@@GLOBAL.time_zone = '-11:30', '+13:00', '-11:30')");
		}
		else {
			boolean east = String.valueOf(this.sql.queryForObject("SHOW timezone", String.class)).startsWith("Pacific");
			this.server.execute("ALTER SYSTEM SET timezone = '" + (east ? "America/St_Johns" : "Pacific/Apia") + "'",
					"SELECT pg_reload_conf()");
		}
		this.network.cut();
	}

	@Override
	public boolean mayWait(Workers.WorkerProcess worker, String lock) {
		return this.sql
			.queryForList("SELECT owner FROM " + TABLE + " WHERE name = '" + "lock:" + lock + "'", String.class)
			.stream()
			.noneMatch((owner) -> owner != null && worker.is(owner));
	}

	@Override
	public Set<String> leftovers() {
		Set<String> left = new HashSet<>();
		for (String table : List.of(TABLE, TABLE + "_holder")) {
			left.addAll(this.sql.queryForList(
					"SELECT CAST(name AS CHAR(100)) FROM " + table + " WHERE expires_at > " + this.now, String.class));
		}
		return left;
	}

	/**
	 * Each lease reserves as many, however far they are ahead, and a release after a late
	 * reply returns none; so a series of these adds up until the time has caught up.
	 */
	@Override
	public List<String> tokensAhead(long expectedMicros) {
		long micros = 10 * expectedMicros;
		return this.sql
			.queryForList("SELECT CAST(name AS CHAR(100)) FROM " + TABLE + " WHERE token > " + this.now + " + ?",
					String.class, micros)
			.stream()
			.map((name) -> "The tokens of " + name.strip() + " are ahead of the time by more than " + micros + " us")
			.toList();
	}

	@Override
	public boolean pushes() {
		return false;
	}

	@Override
	public int subscribedWorkers() {
		return 0;
	}

	/** Counts transactions; H2 does not. */
	@Override
	public long requests() {
		return switch (this.server.kind()) {
			case H2 -> 0;
			case POSTGRESQL -> number("SELECT SUM(xact_commit + xact_rollback) FROM pg_stat_database");
			case MARIADB -> number("SELECT SUM(variable_value) FROM information_schema.global_status"
					+ " WHERE variable_name IN ('COM_SELECT', 'COM_UPDATE', 'COM_INSERT', 'COM_DELETE')");
		};
	}

	private long number(String query) {
		Long number = this.sql.queryForObject(query, Long.class);
		return (number != null) ? number : 0;
	}

	@Override
	public String diagnostics() {
		try {
			return this.server + "\n" + this.sql.queryForList("SELECT * FROM " + TABLE) + "\n"
					+ this.sql.queryForList("SELECT * FROM " + TABLE + "_holder") + "\n";
		}
		catch (DataAccessException ex) {
			return this.server + " does not reply: " + ex + "\n";
		}
	}

	@Override
	public void close() {
		this.network.close();
		this.server.close();
	}

}
