package io.github.lockboot.aop.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;
import org.springframework.util.Assert;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.OnNotAcquired;
import io.github.lockboot.engine.LockLifecycle;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.NewThreadExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs of {@link OnNotAcquired#RERUN}, with three instances of an application.
 */
@Timeout(60)
public abstract class RerunContract {

	@SuppressWarnings("NullAway.Init")
	private LockTemplate locks;

	private final Runs runs = new Runs();

	private final List<Instance> instances = new ArrayList<>();

	/** How many tasks the executors still reject. */
	private final AtomicInteger rejections = new AtomicInteger();

	/** Return a template with locks of its own. */
	protected abstract LockTemplate template(LockDefaults defaults, List<LockListener> listeners);

	@BeforeEach
	void start() {
		this.locks = template(LockDefaults.defaults(), List.of());
		this.locks.list("*", null, 1000).forEach((left) -> this.locks.forceRelease(left.name()));
		IntStream.range(0, 3).forEach((number) -> this.instances.add(new Instance(number)));
	}

	@AfterEach
	void stop() {
		this.runs.mayEnd.release(1000);
		this.instances.forEach(Instance::close);
		this.locks.close();
	}

	private Instance instance(int number) {
		return this.instances.get(number);
	}

	@Test
	void thousandCallsDuringOneRunMakeTwoRuns() {
		CompletableFuture<?> first = runOn(0);
		CompletableFuture<?>[] callers = IntStream.range(0, 20).mapToObj((caller) -> async(() -> {
			IntStream.range(0, 50).forEach((call) -> instance(caller % 3).jobs.index());
		})).toArray(CompletableFuture<?>[]::new);
		CompletableFuture.allOf(callers).join();
		assertThat(this.runs.begun).hasSize(1);
		this.runs.mayEnd.release(1000);
		first.join();
		await().untilAsserted(() -> assertThat(this.instances).allMatch(Instance::isIdle));
		assertThat(this.runs.begun).hasSize(2);
		assertThat(this.runs.together).isEqualTo(1);
	}

	@Test
	void callThatIsSkippedJustBeforeTheReleaseIsFollowedByARun() {
		IntStream.range(0, 10).forEach((round) -> {
			CompletableFuture<?> first = runOn(round % 3);
			CompletableFuture<?> second = async(() -> instance((round + 1) % 3).jobs.index());
			this.runs.mayEnd.release(2);
			CompletableFuture.allOf(first, second).join();
			await().untilAsserted(() -> assertThat(this.runs.ended).hasValue(2 * (round + 1)));
		});
	}

	@Test
	void callDuringTheNextRunIsFollowedByOneMore() {
		CompletableFuture<?> first = runOn(0);
		instance(1).jobs.index();
		this.runs.mayEnd.release();
		first.join();
		await().untilAsserted(() -> assertThat(this.runs.begun).hasSize(2));
		instance(2).jobs.index();
		this.runs.mayEnd.release(1000);
		await().untilAsserted(() -> assertThat(this.runs.ended).hasValue(3));
	}

	@Test
	void holderRunsAgainForCallersThatAreGone() {
		CompletableFuture<?> first = runOn(0);
		instance(1).jobs.index();
		instance(1).close();
		this.runs.mayEnd.release(1000);
		first.join();
		await().untilAsserted(() -> assertThat(this.runs.ended).hasValue(2));
	}

	@Test
	void anyInstanceRunsForCallersAndHoldersThatAreGone() {
		LockHandle holder = instance(0).hold("report");
		instance(1).jobs.report();
		instance(1).close();
		holder.close();
		instance(0).close();
		this.runs.mayEnd.release(1000);
		await().untilAsserted(() -> assertThat(this.runs.begun).containsExactly("report on 2"));
	}

	@Test
	void anyInstanceRunsWithTheKeyOfCallersThatAreGone() {
		LockHandle holder = instance(0).hold("shop:42");
		instance(1).jobs.shop(42);
		instance(1).close();
		holder.close();
		instance(0).close();
		this.runs.mayEnd.release(1000);
		await().untilAsserted(() -> assertThat(this.runs.begun).containsExactly("shop 42 on 2"));
	}

	@Test
	void runBeginsAfterTheCommitOfACallersTransaction() {
		LockHandle holder = instance(0).hold("index");
		TransactionSynchronizationManager.initSynchronization();
		TransactionSynchronizationManager.setActualTransactionActive(true);
		try {
			instance(1).jobs.index();
			this.runs.mayEnd.release(1000);
			holder.close();
			await().untilAsserted(() -> assertThat(this.runs.ended).hasValue(1));
			TransactionSynchronizationUtils.triggerAfterCommit();
		}
		finally {
			TransactionSynchronizationManager.clear();
		}
		await().untilAsserted(() -> assertThat(this.runs.ended).hasValue(2));
	}

	@Test
	void runThatFailsIsNotRepeated() {
		CompletableFuture<?> first = async(instance(0).jobs::fail);
		await().untilAsserted(() -> assertThat(this.runs.begun).hasSize(1));
		instance(1).jobs.fail();
		this.runs.mayEnd.release(1000);
		assertThat(first).failsWithin(Duration.ofSeconds(30))
			.withThrowableThat()
			.withCauseInstanceOf(IllegalStateException.class);
		await().untilAsserted(() -> assertThat(this.instances).allMatch(Instance::isIdle));
		assertThat(this.runs.begun).hasSize(2);
	}

	@Test
	void runThatTheExecutorOfEachInstanceRejectsBeginsLater() {
		this.rejections.set(3);
		CompletableFuture<?> first = runOn(0);
		instance(1).jobs.index();
		this.runs.mayEnd.release(1000);
		first.join();
		await().untilAsserted(() -> assertThat(this.runs.ended).hasValue(2));
	}

	private void execute(Runnable task) {
		Assert.state(this.rejections.getAndDecrement() <= 0, "expected");
		NewThreadExecutor.run(task);
	}

	private CompletableFuture<?> runOn(int number) {
		int before = this.runs.begun.size();
		CompletableFuture<?> run = async(instance(number).jobs::index);
		await().untilAsserted(() -> assertThat(this.runs.begun).hasSize(before + 1));
		return run;
	}

	private static CompletableFuture<?> async(Runnable task) {
		return CompletableFuture.runAsync(task, NewThreadExecutor::run);
	}

	/** What the methods of all instances have done. */
	private static final class Runs {

		private final Queue<String> begun = new ConcurrentLinkedQueue<>();

		private final AtomicInteger ended = new AtomicInteger();

		private final AtomicInteger active = new AtomicInteger();

		private final Semaphore mayEnd = new Semaphore(0);

		private volatile int together;

		void run(String what) {
			this.together = Math.max(this.together, this.active.incrementAndGet());
			this.begun.add(what);
			this.mayEnd.acquireUninterruptibly();
			this.active.decrementAndGet();
			this.ended.incrementAndGet();
		}

	}

	/** An instance of the application. */
	private final class Instance implements AutoCloseable {

		private final LockTemplate locks;

		private final LockedProxies proxies;

		private final Jobs jobs;

		private boolean closed;

		Instance(int number) {
			this.locks = LockLifecycle.anotherInstance(RerunContract.this.locks);
			this.proxies = new LockedProxies(locks, RerunContract.this::execute);
			this.jobs = this.proxies.proxy(new Jobs(RerunContract.this.runs, number));
			this.proxies.bean("jobs", this.jobs);
			assertThat(this.proxies.problems()).isEmpty();
		}

		LockHandle hold(String name) {
			return this.locks.acquire(LockRequest.of(name));
		}

		/** Return whether nothing waits here, and nothing has to run again. */
		boolean isIdle() {
			return this.proxies.isIdle() && this.locks.list("rerun:*", null, 1).isEmpty();
		}

		@Override
		public void close() {
			if (!this.closed) {
				this.closed = true;
				this.proxies.close();
				this.locks.close();
			}
		}

	}

	/** The methods. */
	static class Jobs {

		private final Runs runs;

		private final int number;

		Jobs(Runs runs, int number) {
			this.runs = runs;
			this.number = number;
		}

		@DistributedLock(name = "index", leaseTime = "5s", onNotAcquired = OnNotAcquired.RERUN)
		void index() {
			this.runs.run("index on " + this.number);
		}

		@DistributedLock(name = "report", leaseTime = "1s", onNotAcquired = OnNotAcquired.RERUN)
		void report() {
			this.runs.run("report on " + this.number);
		}

		@DistributedLock(name = "shop", key = "#id", leaseTime = "1s", onNotAcquired = OnNotAcquired.RERUN)
		void shop(long id) {
			this.runs.run("shop " + id + " on " + this.number);
		}

		@DistributedLock(name = "fail", leaseTime = "1s", onNotAcquired = OnNotAcquired.RERUN)
		void fail() {
			this.runs.run("fail on " + this.number);
			throw new IllegalStateException("expected");
		}

	}

}
