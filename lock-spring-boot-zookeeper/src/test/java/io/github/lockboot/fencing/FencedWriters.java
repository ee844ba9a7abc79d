package io.github.lockboot.fencing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.LockTemplate;

/**
 * A JVM that reads counters, adds one and writes them, each under its lock with a short
 * lease, until it is told to stop. What its transactions do meanwhile may undo statements
 * or unlock rows; then it counts in an inner transaction, and once more in the outer one.
 */
final class FencedWriters {

	/** To see that updates are lost then. */
	static final boolean FENCED = !Boolean.getBoolean("lockboot.fence.off");

	static final int COUNTERS = 4;

	private static final List<Kind> KINDS = Stream.of(System.getProperty("lockboot.fence.kinds", "").split(","))
		.filter((name) -> !name.isEmpty())
		.map(Kind::valueOf)
		.collect(Collectors.collectingAndThen(Collectors.toList(),
				(chosen) -> chosen.isEmpty() ? List.of(Kind.values()) : chosen));

	private static final int THREADS = 4;

	private static final Duration LEASE = Duration.ofMillis(400);

	private final LockTemplate locks;

	/** The lease of a lock in ZooKeeper is the session. */
	private final boolean leases;

	private final TransactionTemplate transaction;

	private final TransactionTemplate inner;

	private final TransactionTemplate nested;

	private final TransactionTemplate reading;

	private final JdbcClient sql;

	private final Disturbance disturbance;

	private final Map<Kind, AtomicLong> committed = new EnumMap<>(Kind.class);

	private final AtomicLong refused = new AtomicLong();

	private volatile boolean stopped;

	private FencedWriters(LockTemplate locks, boolean leases, DataSource dataSource, DataSource others) {
		this.locks = locks;
		this.leases = leases;
		this.sql = JdbcClient.create(dataSource);
		this.disturbance = new Disturbance(dataSource, others);
		JdbcTransactionManager transactions = new JdbcTransactionManager(dataSource);
		this.transaction = new TransactionTemplate(transactions);
		this.inner = new TransactionTemplate(transactions);
		this.inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.nested = new TransactionTemplate(transactions);
		this.nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		this.reading = new TransactionTemplate(transactions);
		this.reading.setReadOnly(true);
		Stream.of(Kind.values()).forEach((kind) -> this.committed.put(kind, new AtomicLong()));
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
			Kind kind = KINDS.get(ThreadLocalRandom.current().nextInt(KINDS.size()));
			LockRequest request = LockRequest.of("counter:" + counter).waitTime(Duration.ofSeconds(5));
			LockRequest leased = this.leases ? request.leaseTime(LEASE) : request;
			try {
				section(kind, counter, leased);
				committed(kind);
			}
			catch (LockException | DataAccessException | TransactionException ex) {
				this.refused.incrementAndGet(); // the outer transaction at least
			}
		}
	}

	private void section(Kind kind, int counter, LockRequest request) {
		switch (kind) {
			case PLAIN -> this.locks.execute(request,
					() -> this.transaction.executeWithoutResult((status) -> write(counter, read(counter) + 1)));
			case ACQUIRED_INSIDE -> this.transaction
				.executeWithoutResult((status) -> this.locks.execute(request, () -> write(counter, read(counter) + 1)));
			case READ_BEFORE -> this.locks.execute(request, () -> {
				long value = Objects.requireNonNull(this.reading.execute((status) -> read(counter)));
				this.transaction.executeWithoutResult((status) -> write(counter, value + 1));
			});
			case SAVEPOINT -> this.transaction.executeWithoutResult((status) -> {
				Object savepoint = status.createSavepoint();
				this.locks.execute(request, () -> {
					status.rollbackToSavepoint(savepoint);
					countTwice(kind, counter, 0);
				});
			});
			default -> this.locks.execute(request, () -> this.transaction
				.executeWithoutResult((status) -> countTwice(kind, counter, disturb(kind, counter))));
		}
	}

	private void countTwice(Kind kind, int counter, int session) {
		this.inner.executeWithoutResult((status) -> {
			if (session != 0) {
				this.disturbance.kill(session);
			}
			write(counter, read(counter) + 1);
		});
		committed(kind);
		write(counter, read(counter) + 1);
	}

	private void committed(Kind kind) {
		Objects.requireNonNull(this.committed.get(kind)).incrementAndGet();
	}

	/** Return the session to be killed in an inner transaction. */
	private int disturb(Kind kind, int counter) {
		switch (kind) {
			case FAILED_STATEMENT -> this.disturbance.failStatement();
			case NESTED -> this.nested.executeWithoutResult((status) -> status.setRollbackOnly());
			case KILLED_SESSION -> {
				int session = this.disturbance.session();
				if (ThreadLocalRandom.current().nextBoolean()) {
					return session;
				}
				this.disturbance.kill(session);
			}
			case TRUNCATED_TABLE -> this.disturbance.execute("TRUNCATE TABLE truncated" + counter);
			case DEADLOCK -> this.disturbance.deadlock();
			default -> {
			}
		}
		return 0;
	}

	private long read(int counter) {
		return this.sql.sql("SELECT value_ FROM counters WHERE name = ?").param(counter).query(Long.class).single();
	}

	/** The database counts the commits, since the reply of one may be lost. */
	private void write(int counter, long value) {
		this.sql.sql("UPDATE counters SET value_ = ?, commits = commits + 1 WHERE name = ?")
			.params(value, counter)
			.update();
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
			pool.setMaximumPoolSize(3 * THREADS);
			FencedWriters writers = new FencedWriters(locks, store != FencedStore.ZOOKEEPER, pool,
					new DriverManagerDataSource(args[2], args[3], args[4]));
			List<CompletableFuture<Void>> ends = IntStream.range(0, THREADS)
				.mapToObj((thread) -> CompletableFuture.runAsync(writers::countUp, threads))
				.toList();
			System.out.println("ready");
			new BufferedReader(new InputStreamReader(System.in)).readLine();
			writers.stopped = true;
			ends.forEach(CompletableFuture::join);
			System.out.println("committed " + writers.refused + " " + writers.committed);
		}
		threads.shutdown();
	}

	/** What happens to the transactions of a section. */
	enum Kind {

		PLAIN, ACQUIRED_INSIDE, READ_BEFORE, NEW, SAVEPOINT, NESTED, FAILED_STATEMENT, KILLED_SESSION, TRUNCATED_TABLE,
		DEADLOCK

	}

}
