package io.github.lockboot.fencing;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.github.lockboot.fixture.NewThreadExecutor;

/**
 * What undoes statements of the present transaction of a data source, or unlocks its
 * rows.
 *
 * @param dataSource opens the connection of the transaction
 * @param others opens the connections of others
 */
record Disturbance(DataSource dataSource, DataSource others) {

	/** PostgreSQL accepts no more statements. */
	void failStatement() {
		fail("SELECT nothing FROM nowhere");
	}

	void fail(String statement) {
		try {
			execute(statement);
		}
		catch (DataAccessException ex) {
			return;
		}
		throw new IllegalStateException(statement + " has not failed");
	}

	void createTable(String name) {
		JdbcClient.create(this.others).sql("CREATE TABLE IF NOT EXISTS " + name + " (name INT)").update();
	}

	void execute(String statement) {
		new JdbcTemplate(this.dataSource).execute(statement);
	}

	/** Return what {@link #kill} needs to end the session of the transaction. */
	int session() {
		return number(JdbcClient.create(this.dataSource), switch (product()) {
			case "H2" -> "SELECT SESSION_ID()";
			case "PostgreSQL" -> "SELECT pg_backend_pid()";
			default -> "SELECT CONNECTION_ID()";
		});
	}

	private static int number(JdbcClient database, String question) {
		return database.sql(question).query(Integer.class).single();
	}

	/** As after a timeout of an idle session. */
	void kill(int session) {
		JdbcClient administrator = JdbcClient.create(this.others);
		String product = product();
		CompletableFuture.runAsync(() -> {
			switch (product) {
				case "H2" -> administrator.sql("SELECT ABORT_SESSION(" + session + ")").query().listOfRows();
				case "PostgreSQL" ->
					administrator.sql("SELECT pg_terminate_backend(" + session + ")").query().listOfRows();
				default -> administrator.sql("KILL " + session).update();
			}
		}, NewThreadExecutor::run).join();
	}

	/**
	 * Make the transaction the victim of a deadlock. MariaDB chooses the one that has
	 * changed less, and PostgreSQL the one that looks for it first.
	 */
	void deadlock() {
		String name = UUID.randomUUID().toString();
		try (Connection connection = this.others.getConnection()) {
			JdbcClient rival = JdbcClient.create(new SingleConnectionDataSource(connection, true));
			rival.sql("CREATE TABLE IF NOT EXISTS rivals (name VARCHAR(60) PRIMARY KEY)").update();
			rival.sql("INSERT INTO rivals VALUES (?), (?)").params(name, name + "-b").update();
			connection.setAutoCommit(false);
			for (int i = 0; i < 20; i++) {
				rival.sql("INSERT INTO rivals VALUES (?)").param(name + i).update();
			}
			rival.sql(lock(name + "-b")).query().listOfRows();
			execute(lock(name));
			boolean postgres = product().equals("PostgreSQL");
			int session = postgres ? number(rival, "SELECT pg_backend_pid()") : 0;
			if (postgres) {
				execute("SET LOCAL deadlock_timeout = '10ms'");
			}
			CompletableFuture<Void> waiting = CompletableFuture
				.runAsync(() -> rival.sql(lock(name)).query().listOfRows(), NewThreadExecutor::run);
			if (postgres) {
				Awaitility.await()
					.pollInterval(Duration.ofMillis(10))
					.until(() -> number(JdbcClient.create(this.others), "SELECT COUNT(*) FROM pg_stat_activity"
							+ " WHERE wait_event_type = 'Lock' AND pid = " + session) > 0);
			}
			fail(lock(name + "-b"));
			waiting.join();
			connection.rollback();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String lock(String name) {
		return "SELECT name FROM rivals WHERE name = '" + name + "' FOR UPDATE";
	}

	private String product() {
		try (Connection connection = this.others.getConnection()) {
			return connection.getMetaData().getDatabaseProductName();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
