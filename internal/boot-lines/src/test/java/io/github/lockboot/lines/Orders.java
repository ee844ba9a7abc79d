package io.github.lockboot.lines;

import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;

import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.awaitility.Awaitility;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;

/**
 * Methods that tell whether the lock of their order is held.
 */
@RestController
class Orders {

	private final LockOperations locks;

	private final JdbcTemplate database;

	private final Queue<SseEmitter> watched = new ConcurrentLinkedQueue<>();

	Orders(LockOperations locks, JdbcTemplate database) {
		this.locks = locks;
		this.database = database;
		database.execute("CREATE TABLE IF NOT EXISTS orders (id VARCHAR(50) PRIMARY KEY)");
	}

	boolean isLocked(String id) {
		return this.locks.inspect("order:" + id).isHeld();
	}

	@DistributedLock(name = "order", key = "#id")
	public boolean pay(String id) {
		return isLocked(id);
	}

	@DistributedLock(name = "order", key = "#id", waitTime = "0")
	public boolean payAtOnce(String id) {
		return isLocked(id);
	}

	@DistributedLock(name = "order", key = "#id")
	public CompletableFuture<Boolean> payLater(String id) {
		return CompletableFuture.supplyAsync(() -> isLocked(id));
	}

	@DistributedLock(name = "order", key = "#id")
	public Mono<Boolean> payReactively(String id) {
		return Mono.fromCallable(() -> isLocked(id));
	}

	@DistributedLock(name = "order", key = "#id")
	public Flux<Boolean> payInParts(String id) {
		return Flux.just(1, 2).map((part) -> isLocked(id));
	}

	@Async
	@DistributedLock(name = "order", key = "#id")
	public Future<Boolean> payInBackground(String id) {
		return CompletableFuture.completedFuture(isLocked(id));
	}

	/** Return events until {@link #stopWatching()}. */
	@GetMapping("/actuator/watch")
	@DistributedLock(name = "order", key = "'watched'", maxHoldTime = "1m")
	public SseEmitter watch() throws IOException {
		SseEmitter emitter = new SseEmitter();
		emitter.send("watched"); // the answer begins
		this.watched.add(emitter);
		return emitter;
	}

	void stopWatching() {
		this.watched.remove().complete();
	}

	@SchedulerLock(name = "order:archive")
	public Boolean archive() {
		LockAssert.assertLocked();
		return isLocked("archive");
	}

	/** Return whether the lock was held before and after the commit. */
	@DistributedLock(name = "order", key = "#id")
	@Transactional
	public List<Boolean> payInTransaction(String id, List<Boolean> seen) {
		this.database.update("INSERT INTO orders VALUES (?)", id);
		seen.add(isLocked(id));
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				seen.add(isLocked(id));
			}

		});
		return seen;
	}

	@DistributedLock(name = "order", key = "#id")
	@Transactional
	public void payAndLoseTheLock(String id) {
		this.database.update("INSERT INTO orders VALUES (?)", id);
		this.locks.forceRelease("order:" + id);
		Awaitility.await().pollInSameThread().until(() -> isLost("order:" + id));
	}

	private boolean isLost(String name) {
		try {
			this.locks.ensureHeld(name);
			return false;
		}
		catch (LockLostException ex) {
			return true;
		}
	}

	long count(String id) {
		Long count = this.database.queryForObject("SELECT COUNT(*) FROM orders WHERE id = ?", Long.class, id);
		return (count != null) ? count : 0;
	}

}
