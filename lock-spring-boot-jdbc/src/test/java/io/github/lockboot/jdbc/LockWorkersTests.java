package io.github.lockboot.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LockWorkersTests {

	private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

	private final List<String> done = Collections.synchronizedList(new ArrayList<>());

	private final List<Thread> openers = Collections.synchronizedList(new ArrayList<>());

	private final CountDownLatch end = new CountDownLatch(1);

	private final DatabaseHealth health = new DatabaseHealth(new DatabaseCures("distributed_lock"));

	private final LockWorkers workers = new LockWorkers("worker", 1, this::open, this.health);

	private volatile boolean broken;

	private LockConnection open() {
		this.openers.add(Thread.currentThread());
		if (this.broken && this.openers.size() < 4) {
			throw new NoClassDefFoundError("org/example/Driver");
		}
		return LockConnection.of(Mockito.mock(Connection.class, (call) -> {
			throw this.broken ? new NoClassDefFoundError("org/example/Session")
					: new IllegalStateException("The pool is closed");
		}), new LockTable(DatabaseDialect.POSTGRESQL, JdbcLockSettings.defaults()));
	}

	@Test
	void aCallerUsesAnIdleConnectionItself() {
		CompletableFuture<Thread> reply = new CompletableFuture<>();
		awaitHere();
		assertThat(here(reply)).isTrue();
		assertThat(reply).isCompletedWithValue(Thread.currentThread());
	}

	@Test
	void aCallerDoesTheTaskThatComesBefore() {
		awaitHere();
		for (int i = 0; i < 1000; i++) {
			String number = String.valueOf(i);
			this.workers.executeBriefly(new CompletableFuture<>(), (connection) -> this.done.add(number));
			CompletableFuture<Boolean> mine = new CompletableFuture<>();
			if (!this.workers.executeHere(mine, (connection) -> this.done.add(number + " again"), LIMIT_NANOS)) {
				this.workers.execute(mine, (connection) -> this.done.add(number + " again"));
			}
			mine.join();
			assertThat(this.done).containsExactly(number, number + " again");
			this.done.clear();
		}
	}

	@Test
	void aThreadDoesTheTasksOfACallerWhoDoesNotComeAgain() {
		awaitHere();
		this.workers.executeBriefly(new CompletableFuture<>(), (connection) -> this.done.add("before"));
		here(new CompletableFuture<>());
		CompletableFuture<Thread> left = new CompletableFuture<>();
		this.workers.executeBriefly(left, (connection) -> Thread.currentThread());
		assertThat(left.join()).isNotSameAs(Thread.currentThread());
		CompletableFuture<Thread> other = new CompletableFuture<>();
		this.workers.execute(other, (connection) -> Thread.currentThread());
		assertThat(other.join()).isSameAs(left.join());
	}

	@Test
	void aCallerWaitsForNoOtherTask() {
		awaitHere();
		this.workers.execute(new CompletableFuture<>(), this::awaitEnd);
		CompletableFuture<Thread> reply = new CompletableFuture<>();
		assertThat(here(reply)).isFalse();
		assertThat(reply).isNotDone();
	}

	@Test
	void aCallerOpensNoConnection() {
		awaitHere();
		assertThat(this.workers.executeHere(new CompletableFuture<>(), (connection) -> {
			throw new SQLException("The connection has failed");
		}, LIMIT_NANOS)).isTrue();
		awaitHere();
		assertThat(this.openers).hasSize(2).doesNotContain(Thread.currentThread());
	}

	@Test
	void aConnectionWhoseTestAndEndFailWithAnyExceptionIsReplaced() {
		awaitHere();
		this.health.lost();
		CompletableFuture<Thread> reply = new CompletableFuture<>();
		this.workers.execute(reply, (connection) -> Thread.currentThread());
		assertThat(reply).succeedsWithin(Duration.ofSeconds(30));
		assertThat(this.openers).hasSize(2);
	}

	@Test
	void aDriverThatThrowsErrorsEndsNoThread() {
		awaitHere();
		this.broken = true;
		this.health.lost();
		CompletableFuture<Thread> refused = new CompletableFuture<>();
		this.workers.execute(refused, (connection) -> Thread.currentThread());
		assertThat(refused).failsWithin(Duration.ofSeconds(30))
			.withThrowableThat()
			.withMessageContaining("NoClassDefFoundError: org/example/Driver");
		awaitHere();
	}

	@Test
	void aTaskThatInterruptsItsThreadEndsNoThread() {
		this.workers.execute(new CompletableFuture<>(), (connection) -> {
			Thread.currentThread().interrupt();
			return true;
		});
		for (int i = 0; i < 3; i++) { // the thread notices the interrupt once it waits
			awaitHere();
			CompletableFuture<Thread> reply = new CompletableFuture<>();
			this.workers.execute(reply, (connection) -> Thread.currentThread());
			assertThat(reply).succeedsWithin(Duration.ofSeconds(30));
		}
	}

	@Test
	void aTaskIsRefusedAfterTheEnd() {
		this.workers.close();
		CompletableFuture<Thread> reply = new CompletableFuture<>();
		assertThat(here(reply)).isFalse();
		this.workers.execute(reply, (connection) -> Thread.currentThread());
		assertThatExceptionOfType(CompletionException.class).isThrownBy(reply::join)
			.withCauseInstanceOf(NotExecutedException.class);
	}

	/** The connection is opened by another thread. */
	private void awaitHere() {
		Awaitility.await().until(() -> here(new CompletableFuture<>()));
	}

	private boolean here(CompletableFuture<Thread> reply) {
		return this.workers.executeHere(reply, (connection) -> Thread.currentThread(), LIMIT_NANOS);
	}

	private boolean awaitEnd(LockConnection connection) {
		try {
			return this.end.await(60, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@AfterEach
	void close() {
		this.end.countDown();
		this.workers.close();
	}

}
