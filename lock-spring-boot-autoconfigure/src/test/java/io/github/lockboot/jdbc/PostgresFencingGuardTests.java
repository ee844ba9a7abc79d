package io.github.lockboot.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.FencingGuard;
import io.github.lockboot.StaleTokenException;
import io.github.lockboot.fixture.OwnThread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The table of fencing tokens as it is documented, in a real PostgreSQL: one that runs
 * here as a process.
 */
@Timeout(120)
class PostgresFencingGuardTests {

	private static @Nullable EmbeddedPostgres postgres;

	private final DataSource dataSource = database();

	private final JdbcClient db = JdbcClient.create(this.dataSource);

	private final TransactionTemplate transaction = new TransactionTemplate(
			new JdbcTransactionManager(this.dataSource));

	private final FencingGuard guard = new JdbcFencingGuard(this.dataSource);

	@BeforeAll
	static void start() throws IOException {
		try {
			postgres = EmbeddedPostgres.builder().setPGStartupWait(Duration.ofSeconds(60)).start();
		}
		catch (IOException | RuntimeException ex) {
			System.err.println("PostgresFencingGuardTests is LEFT OUT: no PostgreSQL starts here: " + ex);
			Assumptions.abort("No PostgreSQL starts here: " + ex);
		}
		JdbcClient.create(database()).sql(documentedTable()).update();
	}

	@AfterAll
	static void stop() throws IOException {
		if (postgres != null) {
			postgres.close();
			postgres = null;
		}
	}

	private static DataSource database() {
		return Objects.requireNonNull(postgres).getPostgresDatabase();
	}

	private static String documentedTable() throws IOException {
		Matcher statement = Pattern.compile("CREATE TABLE lock_fence .*")
			.matcher(Files.readString(Path.of("../docs/safety.md")));
		assertThat(statement.find()).isTrue();
		return statement.group();
	}

	private void admit(String lock, long token) {
		this.transaction.executeWithoutResult((status) -> this.guard.admit(lock, token));
	}

	@Test
	void locksWhoseNamesDifferInCaseOrSpacesRefuseNoHolderOfEachOther() {
		String[] names = { "order:A", "order:a", "order:a ", " order:a", "order:\u00e4", "order:a\u0308" };
		for (int i = 0; i < names.length; i++) {
			admit(names[i], names.length - i);
		}
		assertThat(this.db.sql("SELECT COUNT(*) FROM lock_fence WHERE name ILIKE '%order:%'")
			.query(Integer.class)
			.single()).isEqualTo(names.length);
	}

	@Test
	void anOvertakenHolderIsRefused() {
		admit("stock", 8);
		admit("stock", 8);
		assertThatExceptionOfType(StaleTokenException.class).isThrownBy(() -> admit("stock", 7))
			.satisfies((refusal) -> assertThat(refusal.latestToken()).isEqualTo(8));
	}

	/** Whoever inserts second goes on in a transaction with a failed statement. */
	@Test
	void theFirstHoldersOfALockMayComeAllAtOnce() {
		CompletableFuture<?>[] holders = IntStream.range(0, 8)
			.mapToObj((i) -> CompletableFuture.runAsync(() -> admit("first", 1), OwnThread::run))
			.toArray(CompletableFuture[]::new);
		assertThat(CompletableFuture.allOf(holders)).succeedsWithin(Duration.ofSeconds(60));
	}

}
