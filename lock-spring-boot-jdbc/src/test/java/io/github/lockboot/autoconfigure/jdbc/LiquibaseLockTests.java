package io.github.lockboot.autoconfigure.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import javax.sql.DataSource;

import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.DatabaseException;
import liquibase.exception.LockException;
import liquibase.lockservice.StandardLockService;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.TestDatabase;
import io.github.lockboot.jdbc.JdbcLockSettings;
import io.github.lockboot.jdbc.JdbcLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Migrations by Liquibase of several instances, with leases and without.
 */
@Tag("long")
@ParameterizedClass
@EnumSource
@ExtendWith(OutputCaptureExtension.class)
@Timeout(120)
class LiquibaseLockTests {

	/** One that a busy machine does not lose. */
	private static final Duration LONG = Duration.ofMinutes(1);

	private static final Duration SHORT = Duration.ofSeconds(2);

	private final TestDatabase database;

	private final String schema = "m" + UUID.randomUUID().toString().replace("-", "");

	private final String url;

	private final String user;

	private final String password;

	private final DataSource dataSource;

	private final JdbcTemplate jdbc;

	private final Migration leased;

	private final List<Connection> connections = new ArrayList<>();

	LiquibaseLockTests(TestDatabase database) {
		this.database = database;
		DriverManagerDataSource shared = (DriverManagerDataSource) database.dataSource();
		String url = Objects.requireNonNull(shared.getUrl());
		if (database != TestDatabase.H2) {
			new JdbcTemplate(shared).execute("CREATE SCHEMA " + this.schema);
		}
		this.url = switch (database) {
			case H2 -> "jdbc:h2:mem:" + this.schema + ";DB_CLOSE_DELAY=-1";
			case MARIADB -> url.replace("/test", "/" + this.schema);
			case POSTGRESQL -> url + "?currentSchema=" + this.schema;
		};
		this.user = Objects.requireNonNull(shared.getUsername());
		this.password = Objects.requireNonNull(shared.getPassword());
		this.dataSource = Migration.dataSource(this.url, this.user, this.password);
		this.jdbc = new JdbcTemplate(this.dataSource);
		this.leased = new Migration(this.dataSource, this.schema, LONG);
	}

	@AfterEach
	void close() throws SQLException {
		for (Connection connection : this.connections) {
			connection.close();
		}
		SlowChange.ACTIONS.remove(this.schema);
	}

	@Test
	void ofTwoInstancesThatStartAtOnceTheSecondNamesTheFirstAndFindsNothingToDo(CapturedOutput output) {
		try (JvmProcess first = inAnotherJvm(LONG)) {
			CompletableFuture<Void> second = start();
			Awaitility.await("who holds the lock")
				.until(() -> output.getOut()
					.lines()
					.anyMatch((line) -> line.contains("Liquibase waits: ")
							&& line.contains("shop, process " + first.pid())));
			first.send("go on");
			assertThat(first.awaitLine("^end: ")).isEqualTo("end: done");
			second.join();
			assertThat(steps()).containsExactly("slow");
		}
	}

	@Test
	void anInstanceWithoutALeaseWaitsForOneWithALease() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		duringTheSlowChange((database) -> {
			begun.countDown();
			await(end);
		});
		CompletableFuture<Void> leased = start();
		await(begun);
		StandardLockService stock = stockService();
		assertThatExceptionOfType(LockException.class).isThrownBy(stock::waitForLock)
			.withMessageContainingAll("Currently locked by lock-spring-boot lease ", "shop, process ");
		end.countDown();
		leased.join();
		assertThat(stock.acquireLock()).isTrue();
		assertThat(steps()).containsExactly("slow");
	}

	@Test
	void anInstanceWithALeaseWaitsForOneWithoutAndNamesItWithTheCure(CapturedOutput output) throws Exception {
		StandardLockService stock = stockService();
		stock.waitForLock();
		assertThat(failure(this.leased)).contains("is locked by '", "has no lease", "liquibase release-locks");
		CompletableFuture<Void> leased = start();
		Awaitility.await().until(() -> output.getOut().contains("Liquibase waits: "));
		stock.releaseLock();
		leased.join();
		assertThat(steps()).containsExactly("slow");
	}

	@Test
	void aMigrationWhoseRowWasUnlockedByForceDoesNotCommit() {
		duringTheSlowChange(
				(database) -> this.jdbc.update("UPDATE DATABASECHANGELOGLOCK SET LOCKED = FALSE, LOCKEDBY = NULL"));
		assertThat(failure(this.leased)).contains("The migration has lost its lock");
		assertThat(steps()).isEmpty();
	}

	@Test
	void aMigrationThatHasLostItsLeaseIsStoppedAndTheNextOneGoesOn() throws Exception {
		Assumptions.assumeTrue(this.database != TestDatabase.H2, "connections of H2 can't be aborted");
		duringTheSlowChange((database) -> {
			this.jdbc.update("DELETE FROM DATABASECHANGELOGLOCK_lease");
			Awaitility.await().until(() -> isClosed(database));
		});
		assertThat(failure(new Migration(this.dataSource, this.schema, SHORT))).isNotEmpty();
		SlowChange.ACTIONS.remove(this.schema);
		this.leased.run();
		assertThat(steps()).containsExactly("slow");
	}

	@Test
	void aRowThatALaterHolderHasLockedIsNotTakenOver() throws Exception {
		this.leased.run();
		String later = "lock-spring-boot lease 9000000000000000000 of a later holder";
		leaveLocked(later);
		assertThat(failure(this.leased)).contains("is locked by '" + later);
	}

	/** Leave the lock with a holder, and let the slow change run again. */
	private void leaveLocked(String holder) {
		this.jdbc.update(
				"UPDATE DATABASECHANGELOGLOCK SET LOCKED = TRUE, LOCKGRANTED = CURRENT_TIMESTAMP, LOCKEDBY = ?",
				holder);
		this.jdbc.update("DELETE FROM DATABASECHANGELOG WHERE ID = 'slow'");
	}

	@Test
	void aMigrationThatWaitsForTheTransactionOfAFrozenHolderSaysSo(CapturedOutput output) throws Exception {
		this.leased.run();
		leaveLocked("lock-spring-boot lease 0000000000000000001 of a frozen holder");
		try (Connection frozen = this.dataSource.getConnection()) {
			frozen.setAutoCommit(false);
			frozen.createStatement().executeQuery("SELECT ID FROM DATABASECHANGELOGLOCK FOR UPDATE");
			CompletableFuture<Void> next = start();
			Awaitility.await()
				.until(() -> output.getOut().contains("Liquibase waits: a transaction has locked the row"));
			frozen.rollback();
			next.join();
		}
		assertThat(output).contains("was taken over from 'lock-spring-boot lease 0000000000000000001 of a frozen");
	}

	/**
	 * In an empty PostgreSQL one of two instances that create the same table would fail.
	 */
	@Test
	void anInstanceThatWaitsForTheLockHasCreatedNoTableOfLiquibase() {
		JdbcLockSettings settings = JdbcLockSettings.defaults()
			.withKeyPrefix("")
			.withTable("DATABASECHANGELOGLOCK_lease")
			.withCreateTables(true);
		try (JdbcLockTemplate first = new JdbcLockTemplate(this.dataSource, settings, List.of());
				LockHandle lease = first.acquire("migration")) {
			assertThat(failure(this.leased)).contains("Liquibase did not get its lock in time: ", lease.name());
			assertThatExceptionOfType(BadSqlGrammarException.class)
				.isThrownBy(() -> this.jdbc.queryForList("SELECT ID FROM DATABASECHANGELOG"));
		}
	}

	@Test
	void aHolderIsWrittenInAsciiWhateverTheLocaleIs() throws Exception {
		Locale before = Locale.getDefault();
		List<String> holders = new ArrayList<>();
		duringTheSlowChange((database) -> holders
			.add(this.jdbc.queryForObject("SELECT LOCKEDBY FROM DATABASECHANGELOGLOCK", String.class)));
		try {
			Locale.setDefault(Locale.forLanguageTag("ar-EG"));
			this.leased.run();
		}
		finally {
			Locale.setDefault(before);
		}
		assertThat(holders).singleElement().asString().matches("lock-spring-boot lease [0-9]{19} [ -~]+");
	}

	@Test
	void theNextInstanceGoesOnAfterAHolderWasKilled() throws Exception {
		try (JvmProcess killed = inAnotherJvm(SHORT)) {
			killed.kill();
			this.leased.run();
			assertThat(steps()).containsExactly("slow");
		}
	}

	@Test
	void aHolderThatWasFrozenWritesNothingAfterTheNextOne() throws Exception {
		try (JvmProcess frozen = inAnotherJvm(SHORT)) {
			frozen.freeze();
			this.leased.run();
			frozen.thaw();
			frozen.send("go on");
			assertThat(frozen.awaitLine("^end: ")).isEqualTo("end: failed");
			assertThat(steps()).containsExactly("slow");
		}
	}

	private JvmProcess inAnotherJvm(Duration lease) {
		Assumptions.assumeTrue(this.database != TestDatabase.H2, "a database of one JVM");
		JvmProcess holder = JvmProcess.start(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), Migration.class, this.url,
				this.user, this.password, this.schema, lease.toString());
		holder.awaitLine("^migrating$", Duration.ofSeconds(60));
		return holder;
	}

	private void duringTheSlowChange(Consumer<Database> action) {
		SlowChange.ACTIONS.put(this.schema, action);
	}

	/**
	 * Migrate on another thread. Within a JVM, migrations of Liquibase exclude each
	 * other.
	 */
	private CompletableFuture<Void> start() {
		CompletableFuture<Void> result = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				this.leased.run();
				result.complete(null);
			}
			catch (Exception ex) {
				result.completeExceptionally(ex);
			}
		});
		thread.setDaemon(true);
		thread.start();
		return result;
	}

	private static void await(CountDownLatch latch) {
		Awaitility.await().until(() -> latch.getCount() == 0);
	}

	/** Liquibase's own service, as in an instance without the property. */
	private StandardLockService stockService() throws Exception {
		Connection connection = this.dataSource.getConnection();
		StandardLockService stock = new StandardLockService();
		stock.setDatabase(
				DatabaseFactory.getInstance().findCorrectDatabaseImplementation(new JdbcConnection(connection)));
		stock.setChangeLogLockWaitTime(0);
		stock.setChangeLogLockRecheckTime(1);
		this.connections.add(connection);
		return stock;
	}

	private static boolean isClosed(Database database) {
		try {
			return database.getConnection().isClosed();
		}
		catch (DatabaseException ex) {
			return true;
		}
	}

	private static String failure(Migration migration) {
		Throwable failure = catchThrowable(migration::runImpatiently);
		assertThat(failure).isNotNull();
		return String.valueOf(NestedExceptionUtils.getMostSpecificCause(failure).getMessage());
	}

	private List<@Nullable String> steps() {
		return this.jdbc.queryForList("SELECT name FROM steps", String.class);
	}

}
