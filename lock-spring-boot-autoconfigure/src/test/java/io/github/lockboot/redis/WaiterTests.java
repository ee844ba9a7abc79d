package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Waiters for a lock that another JVM holds: what they leave behind, when they leave, and
 * which holder they wait for. Each template represents a JVM.
 */
@RedisTest
@Timeout(60)
class WaiterTests {

	private static final String FROZEN = "bbbbbbbbbbbbbbbb:";

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<RedisLockTemplate> templates = new ArrayList<>();

	private final RedisServer redis;

	private final WatchedLock watched;

	private final RedisLockTemplate locks;

	private final RedisLockTemplate otherLocks;

	WaiterTests(RedisServer redis) {
		this.redis = redis;
		this.watched = new WatchedLock(redis);
		this.locks = template();
		this.otherLocks = template();
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.templates.forEach(RedisLockTemplate::close);
	}

	// ---- what they leave behind

	@Test
	void aWaiterThatTimedOutLeavesNoQueueEntryAndNoHold() {
		LockHandle held = this.otherLocks.acquire(WatchedLock.patiently());
		assertThat(this.locks.tryAcquire(WatchedLock.once().waitTime(Duration.ofMillis(200)))).isNull();
		this.watched.awaitAllHaveLeft();
		held.close();
		this.watched.awaitNothingLeft();
	}

	@Test
	void aThreadThatTimedOutAndLocksAgainReleasesByOneUnlock() throws Exception {
		LockHandle held = this.otherLocks.acquire(WatchedLock.patiently());
		Lock lock = this.locks.asLock(held.name());
		assertThat(lock.tryLock(100, TimeUnit.MILLISECONDS)).isFalse();
		assertThat(lock.tryLock()).isFalse();
		held.close();
		lock.lock();
		lock.unlock();
		this.watched.awaitNothingLeft();
	}

	@Test
	void anInterruptedWaiterLeavesNothingBehind() throws Exception {
		LockHandle held = this.otherLocks.acquire(WatchedLock.patiently());
		interruptedInQueue(() -> this.locks.asLock(held.name()).lockInterruptibly());
		this.watched.awaitAllHaveLeft();
		held.close();
		this.watched.awaitNothingLeft();
	}

	// ---- when they leave

	@Test
	void theWaitTimeAppliesToAWaiterBehindAnotherOfItsJvm() throws Exception {
		LockHandle held = this.otherLocks.acquire(WatchedLock.patiently());
		LockRequest limited = WatchedLock.once().waitTime(Duration.ofSeconds(5));
		CompletableFuture<LockHandle> before = later(
				() -> this.locks.tryAcquire(limited.waitTime(Duration.ofMillis(4_900))));
		this.watched.awaitWaiting(1);
		long start = System.nanoTime();
		assertThat(this.locks.tryAcquire(limited)).isNull();
		// the sum would be 4.9 s behind the other thread and then 5 s for Redis
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(5),
				Duration.ofMillis(9_000));
		assertThat(before.get(10, TimeUnit.SECONDS)).isNull();
		held.close();
	}

	// ---- which holder they wait for

	@Test
	void oneReleaseNotifiesOneWaiterOfAnyNumberOfJvms() throws Exception {
		LockHandle held = this.locks.acquire(WatchedLock.patiently());
		List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
		for (int jvm = 0; jvm < 4; jvm++) {
			RedisLockTemplate template = template();
			waiters.add(later(() -> template.acquire(WatchedLock.patiently())));
			waiters.add(later(() -> template.acquire(WatchedLock.patiently())));
			this.watched.awaitWaiting(jvm + 1);
		}
		long messages = this.redis.commandsDuring(() -> {
			held.close();
			CompletableFuture.anyOf(waiters.toArray(CompletableFuture[]::new)).orTimeout(15, TimeUnit.SECONDS).join();
		}).of("publish");
		assertThat(messages).isOne();
		assertThat(waiters.stream().filter(CompletableFuture::isDone)).hasSize(1);
		assertThat(this.watched.waiting()).hasSize(3);
	}

	@Test
	void aWaiterWhoseConnectionIsGoneDelaysNoOthers() throws Exception {
		LockHandle held = this.locks.acquire(WatchedLock.patiently());
		try (ScriptClient dead = new ScriptClient(this.redis)) {
			dead.queue(FROZEN + 1, 60_000);
			dead.live(FROZEN + 1, 60_000);
		}
		CompletableFuture<LockHandle> waiter = later(() -> this.otherLocks.acquire(WatchedLock.patiently()));
		this.watched.awaitWaiting(2);
		String living = this.watched.waiting().get(1);
		held.close();
		assertThat(this.watched.owner()).isEqualTo(living);
		waiter.get(15, TimeUnit.SECONDS).close();
	}

	@Test
	void aFrozenWaiterDelaysTheNextForTheClaimWindowOnly() throws Exception {
		LockHandle held = this.locks.acquire(WatchedLock.patiently());
		try (ScriptClient frozen = new ScriptClient(this.redis)) {
			frozen.listen(FROZEN + 1);
			frozen.queue(FROZEN + 1, 60_000);
			frozen.live(FROZEN + 1, 60_000);
			CompletableFuture<LockHandle> waiter = later(() -> this.otherLocks.acquire(WatchedLock.patiently()));
			this.watched.awaitWaiting(2);
			held.close();
			assertThat(this.watched.owner()).isEqualTo(FROZEN + 1);
			waiter.get(10, TimeUnit.SECONDS).close();
		}
	}

	@Test
	void aNestedSectionWithItsOwnLeaseKeepsTheRenewalOfTheOuterOne() {
		LockRequest outer = WatchedLock.once().leaseTime(Duration.ofSeconds(4));
		this.locks.execute(outer, () -> {
			this.locks.execute(outer.leaseTime(Duration.ofMillis(100)).renew(false), () -> "inner");
			long token = this.watched.token();
			// each renewal reserves tokens; three of them are a whole lease
			for (int i = 0; i < 3; i++) {
				long last = token;
				token = WatchedLock.await("renewal").until(this.watched::token, (reserved) -> reserved > last);
			}
			assertThat(this.otherLocks.tryAcquire(WatchedLock.once())).isNull();
		});
		this.watched.awaitNothingLeft();
	}

	private void interruptedInQueue(Blocking call) throws Exception {
		AtomicReference<Throwable> thrown = new AtomicReference<>();
		Thread waiter = new Thread(() -> thrown.set(thrownBy(call)));
		waiter.start();
		this.watched.awaitWaiting(1);
		waiter.interrupt();
		waiter.join(15_000);
		assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
	}

	private static Throwable thrownBy(Blocking call) {
		try {
			call.run();
			return new AssertionError("Nothing was thrown");
		}
		catch (Exception ex) {
			return ex;
		}
	}

	private <T> CompletableFuture<T> later(Supplier<T> work) {
		return CompletableFuture.supplyAsync(work, this.threads);
	}

	private RedisLockTemplate template() {
		RedisLockTemplate template = new RedisLockTemplate(Applications.of(this.redis), WatchedLock.SETTINGS,
				List.of());
		this.templates.add(template);
		return template;
	}

	/** A task that blocks until it is interrupted. */
	interface Blocking {

		void run() throws Exception;

	}

}
