package io.github.lockboot.fencing;

import java.util.UUID;

import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.FencingGuard;
import io.github.lockboot.StaleTokenException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@Timeout(60)
class JdbcFencingGuardTests {

	private final JdbcDataSource dataSource = dataSource();

	private final JdbcClient db = JdbcClient.create(this.dataSource);

	private final TransactionTemplate transaction = new TransactionTemplate(
			new JdbcTransactionManager(this.dataSource));

	private final FencingGuard guard = new JdbcFencingGuard(this.dataSource);

	private static JdbcDataSource dataSource() {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
		return dataSource;
	}

	@BeforeEach
	void createTables() {
		this.db.sql("CREATE TABLE lock_fence (name VARCHAR(255) PRIMARY KEY, token BIGINT NOT NULL)").update();
		this.db.sql("CREATE TABLE stock (pieces INT)").update();
		this.db.sql("INSERT INTO stock VALUES (100)").update();
	}

	private void take(long token) {
		this.transaction.executeWithoutResult((status) -> {
			this.guard.admit("stock", token);
			this.db.sql("UPDATE stock SET pieces = pieces - 1").update();
		});
	}

	private int pieces() {
		return this.db.sql("SELECT pieces FROM stock").query(Integer.class).single();
	}

	@Test
	void aTableThatConfusesLocksIsNamedWhenItRejectsAHolder() {
		this.db.sql("DROP TABLE lock_fence").update();
		this.db.sql("CREATE TABLE lock_fence (name VARCHAR_IGNORECASE(255) PRIMARY KEY, token BIGINT NOT NULL)")
			.update();
		this.transaction.executeWithoutResult((status) -> this.guard.admit("order:A", 8));
		assertThatIllegalStateException()
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> this.guard.admit("order:a", 7)))
			.withMessageContaining("confuses lock 'order:a' with lock 'order:A'")
			.withMessageContaining("VARBINARY(1020)");
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
			.withMessageContaining("'stock'")
			.withMessageContaining("@Transactional");
	}

	@Test
	void anInvalidTableNameIsRejectedAtOnce() {
		assertThatIllegalArgumentException().isThrownBy(() -> new JdbcFencingGuard(this.dataSource, "fence; --"))
			.withMessageContaining("fence; --");
	}

}
