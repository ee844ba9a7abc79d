package io.github.lockboot.fencing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.FencingGuard;
import io.github.lockboot.StaleTokenException;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The documented table of fencing tokens, in each database.
 */
@ParameterizedClass
@CsvSource({ "H2, VARCHAR(255)", "MARIADB, VARBINARY(1020)", "POSTGRESQL, VARCHAR(255)" })
@Timeout(120)
class JdbcFencingGuardTests {

	private final TestDatabase database;

	private final DataSource dataSource;

	private final JdbcClient db;

	private final TransactionTemplate transaction;

	private final FencingGuard guard;

	private final String typeOfName;

	/**
	 * Create the tests.
	 * @param typeOfName the documented type of the column for names of locks
	 */
	JdbcFencingGuardTests(TestDatabase database, String typeOfName) {
		this.database = database;
		this.dataSource = database.dataSource();
		this.db = JdbcClient.create(this.dataSource);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));
		this.guard = new JdbcFencingGuard(this.dataSource);
		this.typeOfName = typeOfName;
	}

	@BeforeEach
	void createTable() throws IOException {
		this.db.sql("DROP TABLE IF EXISTS lock_fence").update();
		this.db.sql(documented("CREATE TABLE lock_fence \\(name " + Pattern.quote(this.typeOfName) + " .*")).update();
		this.db.sql("DROP TABLE IF EXISTS pieces").update();
		this.db.sql("CREATE TABLE pieces (stock INT)").update();
		this.db.sql("INSERT INTO pieces VALUES (100)").update();
	}

	private static String documented(String regex) throws IOException {
		Matcher statement = Pattern.compile(regex).matcher(Files.readString(Path.of("../docs/fencing.md")));
		assertThat(statement.find()).isTrue();
		return statement.group();
	}

	@Test
	void theDocumentedPurgeDeletesTheRowsThatWereNotUsedForADay() throws IOException {
		Assumptions.assumeTrue(this.database != TestDatabase.H2, "has no documented purge");
		long nowMillis = System.currentTimeMillis();
		admit("old", (nowMillis - TimeUnit.DAYS.toMillis(2)) * 1_000_000);
		admit("recent", (nowMillis - TimeUnit.HOURS.toMillis(1)) * 1_000_000);
		String clock = this.typeOfName.startsWith("VARBINARY") ? "UNIX_TIMESTAMP" : "EXTRACT";
		this.db.sql(documented("DELETE FROM lock_fence WHERE token < \\(" + clock + ".*")).update();
		assertThat(this.db.sql("SELECT COUNT(*) FROM lock_fence").query(Integer.class).single()).isOne();
	}

	private void admit(String lock, long token) {
		this.transaction.executeWithoutResult((status) -> this.guard.admit(lock, token));
	}

	@Test
	void aHolderWhoseTransactionHasReadBeforeIsRefusedAfterALaterHolder() {
		this.transaction.executeWithoutResult((status) -> {
			this.db.sql("SELECT token FROM lock_fence").query().listOfRows();
			IntStream.range(0, 2)
				.forEach((time) -> CompletableFuture.runAsync(() -> admit("order", 8), NewThreadExecutor::run).join());
			assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> this.guard.admit("order", 7))
				.satisfies((ex) -> assertThat(ex.latestToken()).isEqualTo(8));
		});
	}

	@Test
	void locksWhoseNamesDifferInCaseOrSpacesRejectNoHolderOfEachOther() {
		String[] names = { "order:A", "order:a", "order:a ", " order:a", "order:\u00e4", "order:a\u0308" };
		for (int i = 0; i < names.length; i++) {
			admit(names[i], names.length - i);
		}
		assertThat(this.db.sql("SELECT COUNT(*) FROM lock_fence").query(Integer.class).single())
			.isEqualTo(names.length);
	}

	/** The second insert continues in a transaction with a failed statement. */
	@Test
	void theFirstHoldersOfALockMayArriveAtOnce() {
		CompletableFuture<?>[] holders = IntStream.range(0, 8)
			.mapToObj((i) -> CompletableFuture.runAsync(() -> admitUntilDecided("first", 1), NewThreadExecutor::run))
			.toArray(CompletableFuture[]::new);
		assertThat(CompletableFuture.allOf(holders)).succeedsWithin(Duration.ofSeconds(60));
	}

	/** A database may end one of two transactions that wait for each other. */
	private void admitUntilDecided(String lock, long token) {
		boolean decided = false;
		while (!decided) {
			try {
				admit(lock, token);
				decided = true;
			}
			catch (PessimisticLockingFailureException ex) {
				decided = false;
			}
		}
	}

	@Test
	void aTableThatConfusesLocksIsNamedWhenItRejectsAHolder() {
		Assumptions.assumeTrue(this.database != TestDatabase.POSTGRESQL, "compares names exactly");
		String type = (this.database == TestDatabase.H2) ? "VARCHAR_IGNORECASE(255)" : "VARCHAR(255)";
		this.db.sql("DROP TABLE lock_fence").update();
		this.db.sql("CREATE TABLE lock_fence (name " + type + " PRIMARY KEY, token BIGINT NOT NULL)").update();
		admit("order:A", 8);
		assertThatIllegalStateException().isThrownBy(() -> admit("order:a", 7))
			.withMessageContainingAll("confuses lock 'order:a' with lock 'order:A'", "VARBINARY(1020)");
	}

	@Test
	void anOvertakenHolderIsRejectedAndItsTransactionRolledBack() {
		take(8);
		assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> take(7))
			.satisfies((refusal) -> assertThat(refusal.latestToken()).isEqualTo(8));
		assertThat(pieces()).isEqualTo(99);
	}

	@Test
	void aHolderWhoseTransactionWasRolledBackLeavesNoTrace() {
		this.transaction.executeWithoutResult((status) -> {
			this.guard.admit("stock", 8);
			status.setRollbackOnly();
		});
		take(7);
		assertThat(pieces()).isEqualTo(99);
	}

	@Test
	void aTokenOutsideATransactionIsRejectedWithTheSolution() {
		assertThatIllegalStateException().isThrownBy(() -> this.guard.admit("stock", 7))
			.withMessageContainingAll("'stock'", "@Transactional");
	}

	@Test
	void anInvalidTableNameIsRejectedAtOnce() {
		assertThatIllegalArgumentException().isThrownBy(() -> new JdbcFencingGuard(this.dataSource, "fence; --"))
			.withMessageContaining("fence; --");
	}

	private void take(long token) {
		this.transaction.executeWithoutResult((status) -> {
			this.guard.admit("stock", token);
			this.db.sql("UPDATE pieces SET stock = stock - 1").update();
		});
	}

	private int pieces() {
		return this.db.sql("SELECT stock FROM pieces").query(Integer.class).single();
	}

}
