package io.github.lockboot.redis.transport;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.lettuce.core.api.StatefulRedisConnection;
import org.jspecify.annotations.Nullable;

/**
 * Lends connections to one server, opened when they are needed first and kept for the
 * next. Who finds all of them lent waits for one, first come, first served. Thread-safe.
 */
final class LoanOffice implements AutoCloseable {

	private static final int CONNECTIONS = 32;

	private final Supplier<CompletionStage<StatefulRedisConnection<String, String>>> connector;

	private final ReentrantLock mutex = new ReentrantLock();

	private final Deque<LoanedConnection> idle = new ArrayDeque<>();

	private final Deque<CompletableFuture<LoanedConnection>> waiting = new ArrayDeque<>();

	private int open;

	private boolean closed;

	LoanOffice(Supplier<CompletionStage<StatefulRedisConnection<String, String>>> connector) {
		this.connector = connector;
	}

	/**
	 * Borrow a connection.
	 * @return the connection, to be given back whatever has happened to it
	 */
	CompletableFuture<LoanedConnection> borrow() {
		CompletableFuture<LoanedConnection> loan = new CompletableFuture<>();
		this.mutex.lock();
		try {
			LoanedConnection free = this.idle.poll();
			if (free != null) {
				loan.complete(free);
				return loan;
			}
			if (this.open >= CONNECTIONS) {
				this.waiting.add(loan);
				return loan;
			}
			this.open++;
		}
		finally {
			this.mutex.unlock();
		}
		connect(loan);
		return loan;
	}

	/**
	 * Give a connection back.
	 * @param connection the connection
	 */
	void giveBack(LoanedConnection connection) {
		CompletableFuture<LoanedConnection> next = next(connection);
		if (next != null && connection.isOpen()) {
			next.complete(connection);
		}
		else if (next != null) {
			connection.close();
			connect(next);
		}
	}

	private @Nullable CompletableFuture<LoanedConnection> next(LoanedConnection connection) {
		this.mutex.lock();
		try {
			CompletableFuture<LoanedConnection> next = this.waiting.poll();
			if (next == null) {
				retire(connection);
			}
			return next;
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void retire(LoanedConnection connection) {
		if (!this.closed && connection.isOpen()) {
			this.idle.push(connection);
		}
		else {
			this.open--;
			connection.close();
		}
	}

	private void connect(CompletableFuture<LoanedConnection> loan) {
		this.connector.get().whenComplete((connection, failure) -> {
			if (failure == null) {
				loan.complete(new LoanedConnection(connection));
				return;
			}
			CompletableFuture<LoanedConnection> next = failed();
			loan.completeExceptionally(failure);
			if (next != null) {
				next.completeExceptionally(failure);
			}
		});
	}

	/** One that waits shares the failure: its own try would not end otherwise. */
	private @Nullable CompletableFuture<LoanedConnection> failed() {
		this.mutex.lock();
		try {
			this.open--;
			return this.waiting.poll();
		}
		finally {
			this.mutex.unlock();
		}
	}

	@Override
	public void close() {
		this.mutex.lock();
		try {
			this.closed = true;
			this.open -= this.idle.size();
			this.idle.forEach(LoanedConnection::close);
			this.idle.clear();
		}
		finally {
			this.mutex.unlock();
		}
	}

}
