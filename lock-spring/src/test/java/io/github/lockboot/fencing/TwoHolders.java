package io.github.lockboot.fencing;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockOperations;
import io.github.lockboot.fixture.TestDatabase;
import io.github.lockboot.local.LocalLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two holders that have a lock at once: each of two templates has locks of its own, and
 * the one that acquires last is the later holder.
 */
@Timeout(120)
abstract class TwoHolders {

	final TestDatabase database;

	final DataSource dataSource;

	final TransactionTemplate transaction;

	final LocalLockTemplate former = new LocalLockTemplate(LockDefaults.defaults(), List.of());

	final LocalLockTemplate later = new LocalLockTemplate(LockDefaults.defaults(), List.of());

	final ExecutorService threads = Executors.newCachedThreadPool();

	final String lock = "test:" + UUID.randomUUID();

	final List<String> events = new CopyOnWriteArrayList<>();

	private final TransactionFence fence = new TransactionFence((template) -> true,
			(template, name) -> name.endsWith("off") ? null : name, (candidate) -> true);

	TwoHolders(TestDatabase database) {
		this.database = database;
		this.dataSource = database.dataSource();
		// each hold of this kind makes the next token of the lock greater
		List.of("", "-b", "-off").forEach((suffix) -> this.later.execute(this.lock + suffix, () -> {
		}));
		this.fence.postProcessBeforeInitialization(this.former, "former");
		this.fence.postProcessBeforeInitialization(this.later, "later");
		this.transaction = fenced(this.dataSource);
		assertThat(this.fence.isFenced(this.dataSource)).isTrue(); // has the table now
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.former.close();
		this.later.close();
	}

	void locked(LockOperations locks, String event) {
		locks.execute(this.lock, () -> this.transaction.executeWithoutResult((status) -> this.events.add(event)));
	}

	/** Let another thread wait until the present transaction has ended. */
	CompletableFuture<Void> waitingForThisTransaction(Runnable later) {
		CompletableFuture<Void> waiting = CompletableFuture.runAsync(later, this.threads);
		Awaitility.await().during(Duration.ofMillis(300)).until(() -> this.events.isEmpty());
		this.events.add("former");
		return waiting;
	}

	TransactionTemplate fenced(DataSource source) {
		JdbcTransactionManager manager = new JdbcTransactionManager(source);
		this.fence.postProcessBeforeInitialization(manager, "manager");
		return new TransactionTemplate(manager);
	}

	static TransactionTemplate like(TransactionTemplate other) {
		return new TransactionTemplate(Objects.requireNonNull(other.getTransactionManager()));
	}

	static TransactionTemplate requiringNew(TransactionTemplate other) {
		TransactionTemplate template = like(other);
		template.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		return template;
	}

	static TransactionTemplate nested(TransactionTemplate other) {
		TransactionTemplate template = like(other);
		template.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		return template;
	}

}
