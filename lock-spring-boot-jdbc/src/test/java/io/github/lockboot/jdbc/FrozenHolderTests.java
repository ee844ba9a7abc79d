package io.github.lockboot.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.TestDatabase;
import io.github.lockboot.jdbc.transaction.CommitFence;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A holder whose JVM is frozen in its transaction, until after the end of its lease.
 */
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "H2") // a database of one JVM
@Timeout(180)
@Tag("long")
class FrozenHolderTests {

	private static final String BEFORE = "before the check";

	private static final String AFTER = "after the check";

	private final DriverManagerDataSource dataSource;

	private final JdbcClient sql;

	private final String name = "test:" + UUID.randomUUID();

	FrozenHolderTests(TestDatabase database) {
		this.dataSource = (DriverManagerDataSource) database.dataSource();
		this.sql = JdbcClient.create(this.dataSource);
		this.sql.sql("CREATE TABLE IF NOT EXISTS commits (name VARCHAR(100) NOT NULL, holder VARCHAR(100) NOT NULL)")
			.update();
	}

	@Test
	void doesNotCommitIfAnotherHolderHas() {
		try (JvmProcess frozen = frozenHolder(BEFORE); JdbcLockTemplate locks = locks(this.dataSource)) {
			new Holder(this.dataSource, locks, this.name).commit("the next one", () -> {
			});
			resume(frozen);
			assertThat(frozen.awaitLine("^end: ")).isEqualTo("end: lost");
			assertThat(commits()).containsExactly("the next one");
		}
	}

	@Test
	void keepsTheLockForTheRestOfItsCommit() {
		try (JvmProcess frozen = frozenHolder(AFTER); JdbcLockTemplate locks = locks(this.dataSource)) {
			Awaitility.await("the end of its lease").until(() -> !locks.inspect(this.name).isHeld());
			assertThat(locks.tryExecute(LockRequest.of(this.name).waitTime(Duration.ofMillis(1500)), () -> {
			})).isFalse();
			resume(frozen);
			locks.execute(LockRequest.of(this.name).waitTime(Duration.ofSeconds(60)),
					() -> assertThat(commits()).containsExactly("the frozen one"));
			assertThat(frozen.awaitLine("^end: ")).isEqualTo("end: committed");
		}
	}

	private JvmProcess frozenHolder(String when) {
		locks(this.dataSource).close(); // creates the table
		JvmProcess holder = JvmProcess.start(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), Holder.class,
				Objects.requireNonNull(this.dataSource.getUrl()), Objects.requireNonNull(this.dataSource.getUsername()),
				Objects.requireNonNull(this.dataSource.getPassword()), this.name, when);
		holder.awaitLine("^" + when, Duration.ofSeconds(60));
		holder.freeze();
		return holder;
	}

	private static void resume(JvmProcess frozen) {
		frozen.thaw();
		frozen.send("go on");
	}

	private List<String> commits() {
		return this.sql.sql("SELECT holder FROM commits WHERE name = ?").param(this.name).query(String.class).list();
	}

	private static JdbcLockTemplate locks(DataSource dataSource) {
		return new JdbcLockTemplate(dataSource, JdbcLockSettings.defaults().withCreateTables(true), List.of());
	}

	/** Writes in a transaction under the lock. */
	static final class Holder {

		private final JdbcLockTemplate locks;

		private final JdbcTransactionManager transactions;

		private final JdbcClient sql;

		private final String name;

		Holder(DataSource dataSource, JdbcLockTemplate locks, String name) {
			this.locks = locks;
			this.transactions = new JdbcTransactionManager(dataSource);
			this.sql = JdbcClient.create(dataSource);
			this.name = name;
			CommitFence fence = new CommitFence();
			fence.postProcessBeforeInitialization(locks, "locks");
			fence.postProcessBeforeInitialization(this.transactions, "transactions");
		}

		void commit(String holder, Runnable afterWrite) {
			LockRequest request = LockRequest.of(this.name)
				.leaseTime(Duration.ofSeconds(2))
				.waitTime(Duration.ofSeconds(60));
			this.locks.execute(request, () -> new TransactionTemplate(this.transactions).execute((status) -> {
				this.sql.sql("INSERT INTO commits VALUES (?, ?)").params(this.name, holder).update();
				afterWrite.run();
				return status;
			}));
		}

		public static void main(String[] args) {
			DataSource dataSource = new DriverManagerDataSource(args[0], args[1], args[2]);
			try (JdbcLockTemplate locks = locks(dataSource)) {
				Holder holder = new Holder(dataSource, locks, args[3]);
				holder.transactions.addListener(new TransactionExecutionListener() {

					@Override
					public void beforeCommit(TransactionExecution transaction) {
						pauseIf(args[4].equals(AFTER), AFTER);
					}

				});
				holder.commit("the frozen one", () -> pauseIf(args[4].equals(BEFORE), BEFORE));
				System.out.println("end: committed");
			}
			catch (LockLostException ex) {
				System.out.println("end: lost");
			}
		}

		private static void pauseIf(boolean condition, String when) {
			if (condition) {
				System.out.println(when);
				try {
					new BufferedReader(new InputStreamReader(System.in)).readLine();
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}
		}

	}

}
