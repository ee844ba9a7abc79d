package io.github.lockboot.fencing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.LockTemplate;

/**
 * A JVM that reads counters, adds one and writes them, each under its lock with a short
 * lease, until it is told to stop. A quarter of the locks is acquired inside the
 * transaction, and under another quarter a transaction that only reads comes first.
 */
final class FencedWriters {

	/** To see that updates are lost then. */
	static final boolean FENCED = !Boolean.getBoolean("lockboot.fence.off");

	static final int COUNTERS = 4;

	private static final int THREADS = 4;

	private static final Duration LEASE = Duration.ofMillis(400);

	private final LockTemplate locks;

	/** The lease of a lock in ZooKeeper is the session. */
	private final boolean leases;

	private final TransactionTemplate transaction;

	private final TransactionTemplate reading;

	private final JdbcClient sql;

	private final AtomicLong committed = new AtomicLong();

	private final AtomicLong refused = new AtomicLong();

	private volatile boolean stopped;

	private FencedWriters(LockTemplate locks, boolean leases, DataSource dataSource) {
		this.locks = locks;
		this.leases = leases;
		this.sql = JdbcClient.create(dataSource);
		JdbcTransactionManager transactions = new JdbcTransactionManager(dataSource);
		this.transaction = new TransactionTemplate(transactions);
		this.reading = new TransactionTemplate(transactions);
		this.reading.setReadOnly(true);
		if (FENCED) {
			TransactionFence fence = new TransactionFence((template) -> true, (template, name) -> name,
					(database) -> true);
			fence.postProcessBeforeInitialization(locks, "locks");
			fence.postProcessBeforeInitialization(transactions, "transactions");
		}
	}

	private void countUp() {
		while (!this.stopped) {
			int counter = ThreadLocalRandom.current().nextInt(COUNTERS);
			LockRequest request = LockRequest.of("counter:" + counter).waitTime(Duration.ofSeconds(5));
			LockRequest leased = this.leases ? request.leaseTime(LEASE) : request;
			try {
				switch (ThreadLocalRandom.current().nextInt(4)) {
					case 0 -> this.transaction.executeWithoutResult(
							(status) -> this.locks.execute(leased, () -> write(counter, read(counter) + 1)));
					case 1 -> this.locks.execute(leased, () -> {
						long value = Objects.requireNonNull(this.reading.execute((status) -> read(counter)));
						this.transaction.executeWithoutResult((status) -> write(counter, value + 1));
					});
					default -> this.locks.execute(leased,
							() -> this.transaction.executeWithoutResult((status) -> write(counter, read(counter) + 1)));
				}
				this.committed.incrementAndGet();
			}
			catch (LockException | DataAccessException | TransactionException ex) {
				this.refused.incrementAndGet(); // and not committed
			}
		}
	}

	private long read(int counter) {
		return this.sql.sql("SELECT value_ FROM counters WHERE name = ?").param(counter).query(Long.class).single();
	}

	private void write(int counter, long value) {
		this.sql.sql("UPDATE counters SET value_ = ? WHERE name = ?").params(value, counter).update();
	}

	/**
	 * Run until a line is read.
	 * @param args store, its address, then URL, user and password of the database
	 */
	public static void main(String[] args) throws IOException {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		FencedStore store = FencedStore.valueOf(args[0]);
		try (LockTemplate locks = store.connect(args[1]); HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(args[2]);
			pool.setUsername(args[3]);
			pool.setPassword(args[4]);
			pool.setMaximumPoolSize(THREADS);
			FencedWriters writers = new FencedWriters(locks, store != FencedStore.ZOOKEEPER, pool);
			List<CompletableFuture<Void>> ends = IntStream.range(0, THREADS)
				.mapToObj((thread) -> CompletableFuture.runAsync(writers::countUp, threads))
				.toList();
			System.out.println("ready");
			new BufferedReader(new InputStreamReader(System.in)).readLine();
			writers.stopped = true;
			ends.forEach(CompletableFuture::join);
			System.out.println("committed " + writers.committed + " " + writers.refused);
		}
		threads.shutdown();
	}

}
