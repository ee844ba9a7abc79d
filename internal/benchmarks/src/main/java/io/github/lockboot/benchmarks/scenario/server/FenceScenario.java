package io.github.lockboot.benchmarks.scenario.server;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Numbers;
import io.github.lockboot.benchmarks.report.Ratios;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.scenario.Effort;
import io.github.lockboot.benchmarks.scenario.Scenario;
import io.github.lockboot.benchmarks.scenario.TestBed;
import io.github.lockboot.fencing.TransactionFence;
import io.github.lockboot.local.LocalLockTemplate;

/**
 * Transactions of three statements under a lock, with the fence, without it, and with the
 * cheapest statement in its place, by one thread in turn. The lock is in memory, so that
 * its own time does not hide the difference.
 */
record FenceScenario(Database database) implements Scenario {

	@Override
	public String id() {
		return this.database.id() + "-fence";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		try (HikariDataSource pool = new HikariDataSource();
				LocalLockTemplate locks = new LocalLockTemplate(LockDefaults.defaults(), List.of())) {
			pool.setJdbcUrl(this.database.address());
			pool.setMaximumPoolSize(2);
			JdbcClient sql = JdbcClient.create(pool);
			createTables(sql);
			JdbcTransactionManager fenced = new JdbcTransactionManager(pool);
			TransactionFence fence = new TransactionFence((template) -> true, (template, name) -> name,
					(dataSource) -> false);
			fence.postProcessBeforeInitialization(locks, "locks");
			fence.postProcessBeforeInitialization(fenced, "transactions");
			return measure(bed.effort(), locks, new TransactionTemplate(fenced),
					new TransactionTemplate(new JdbcTransactionManager(pool)), sql);
		}
	}

	private void createTables(JdbcClient sql) {
		sql.sql("CREATE TABLE lock_fence (name "
				+ ((this.database == Database.MARIADB) ? "VARBINARY(1020)" : "VARCHAR(255)")
				+ " PRIMARY KEY, token BIGINT NOT NULL)")
			.update();
		sql.sql("CREATE TABLE stock (name INT PRIMARY KEY, pieces BIGINT NOT NULL, sold BIGINT NOT NULL)").update();
		sql.sql("INSERT INTO stock VALUES (1, 0, 0)").update();
	}

	private ScenarioReport measure(Effort effort, LocalLockTemplate locks, TransactionTemplate fenced,
			TransactionTemplate plain, JdbcClient sql) {
		List<Figures> ratios = new ArrayList<>();
		List<Figures> relative = new ArrayList<>();
		List<Double> withFence = new ArrayList<>();
		List<Double> withStatement = new ArrayList<>();
		List<Double> without = new ArrayList<>();
		DoubleSupplier fence = () -> rate(locks, fenced, sql, false, Effort.SLICE_MILLIS);
		DoubleSupplier statement = () -> rate(locks, plain, sql, true, Effort.SLICE_MILLIS);
		DoubleSupplier none = () -> rate(locks, plain, sql, false, Effort.SLICE_MILLIS);
		rate(locks, plain, sql, true, effort.warmUpMillis());
		rate(locks, fenced, sql, false, effort.warmUpMillis());
		for (int round = 0; round < 20 * effort.rounds(); round++) {
			if (round % 2 == 0) {
				without.add(none.getAsDouble());
				withStatement.add(statement.getAsDouble());
				withFence.add(fence.getAsDouble());
			}
			else {
				withFence.add(fence.getAsDouble());
				withStatement.add(statement.getAsDouble());
				without.add(none.getAsDouble());
			}
			ratios.add(Figures.of("ratio", withFence.get(round) / without.get(round)));
			relative.add(Figures.of("ratio", withFence.get(round) / withStatement.get(round)));
		}
		String costs = "the fence writes a row" + ((this.database == Database.MARIADB)
				? ", and asks at the commit whether MariaDB has rolled the transaction back" : "");
		return new ScenarioReport(this.database.label() + ", transactions of three statements under a lock",
				"A SELECT and two UPDATEs of one thread, with the fence, with a SELECT 1 in its place and without, in turn in slices of "
						+ Effort.SLICE_MILLIS + " ms; the lock is in memory.",
				new Table(List.of("transactions/s"),
						List.of(List.of("**with the fence**", median(withFence)),
								List.of("with a SELECT 1 in its place", median(withStatement)),
								List.of("without", median(without)))),
				List.of(Requirement
					.atLeast("rate over that without a fence, slices in turn, at least 0.9", Ratios.of(ratios), 0.9)
					.because(costs),
						Requirement
							.atLeast("rate over that of a SELECT 1 in its place, at least 0.9", Ratios.of(relative),
									0.9)
							.because(costs)));
	}

	private static String median(List<Double> rates) {
		return Numbers.brief(Ratios.of(rates.stream().map((rate) -> Figures.of("rate", rate)).toList()).median());
	}

	private static double rate(LocalLockTemplate locks, TransactionTemplate transaction, JdbcClient sql, boolean more,
			int millis) {
		long start = System.nanoTime();
		long end = start + millis * 1_000_000L;
		int count = 0;
		while (System.nanoTime() < end) {
			locks.execute("stock:1", () -> transaction.executeWithoutResult((status) -> {
				if (more) {
					sql.sql("SELECT 1").query(Long.class).single();
				}
				long pieces = sql.sql("SELECT pieces FROM stock WHERE name = 1").query(Long.class).single();
				sql.sql("UPDATE stock SET pieces = ? WHERE name = 1").param(pieces + 1).update();
				sql.sql("UPDATE stock SET sold = sold + 1 WHERE name = 1").update();
			}));
			count++;
		}
		return count * 1e9 / (System.nanoTime() - start);
	}

}
