package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisFixture;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The commands of each path through the engine: every {@code evalsha} is one round trip,
 * all others are calls of the scripts. A separate server, so that no other clients are
 * counted. If a delayed waiter may repeat its request to stay in the queue, the run with
 * the fewest commands counts.
 */
@Timeout(90)
class RoundTripTests extends TwoTemplates {

	private static final int RUNS = 5;

	private static final LockRequest THREE = WatchedLock.once().names(List.of("a", "b", "c"));

	RoundTripTests() {
		super(RedisFixture.newServer());
	}

	@Test
	void acquiringAFreeLockIsOneRoundTrip() {
		assertThat(costOf(() -> this.locks.acquire(WatchedLock.once())))
			.isEqualTo(Map.of("evalsha", 1L, "exists", 1L, "time", 1L, "set", 2L));
	}

	@Test
	void releasingALockIsOneRoundTrip() {
		LockHandle lock = this.locks.acquire(WatchedLock.once());
		assertThat(costOf(lock::close)).isEqualTo(Map.of("evalsha", 1L, "get", 1L, "exists", 1L, "del", 1L, "set", 1L));
	}

	@Test
	void acquiringTheFirstPermitIsOneRoundTripOfFourCommands() {
		// the first has no token
		this.locks.semaphore(WatchedLock.once().name(), 4).acquire().close();
		assertThat(costOf(() -> this.locks.semaphore(WatchedLock.once().name(), 4).acquire()))
			.isEqualTo(Map.of("evalsha", 1L, "get", 1L, "exists", 1L, "set", 1L, "pexpire", 1L));
	}

	@Test
	void releasingTheLastPermitIsOneRoundTripOfTwoCommands() {
		LockHandle permit = this.locks.semaphore(WatchedLock.once().name(), 4).acquire();
		assertThat(costOf(permit::close)).isEqualTo(Map.of("evalsha", 1L, "get", 1L, "del", 1L));
	}

	@Test
	void acquiringSeveralFreeLocksIsOneRoundTripOfEachAtMost() {
		assertThat(costOf(() -> this.locks.acquire(THREE)))
			.hasEntrySatisfying("evalsha", (scripts) -> assertThat(scripts).isBetween(1L, 3L))
			.containsEntry("exists", 3L)
			.containsEntry("set", 6L);
	}

	@Test
	void aTryOnABusyLockIsOneRoundTripThatWritesNothing() {
		this.otherLocks.acquire(WatchedLock.once());
		assertThat(costOf(() -> this.locks.tryAcquire(WatchedLock.once())))
			.isEqualTo(Map.of("evalsha", 1L, "exists", 1L, "get", 1L, "pttl", 1L));
	}

	@Test
	void aNestedSectionSendsNothing() {
		this.locks.execute(WatchedLock.once(),
				() -> assertThat(costOf(() -> this.locks.execute(WatchedLock.once(), () -> "inner"))).isEmpty());
	}

	@Test
	void passingALeaseWithinAJvmSendsNothing() {
		LockHandle first = this.locks.acquire(WatchedLock.patiently());
		assertThat(costOf(() -> {
			LockHandle last = first;
			for (int i = 0; i < 100; i++) {
				CompletableFuture<LockHandle> next = later(this.locks, WatchedLock.patiently());
				last.close();
				last = next.join();
			}
		})).isEmpty();
	}

	@Test
	void queueingIsOneRoundTripAndOneMessageToTheOwner() {
		assertThat(cheapestOf(() -> {
			LockHandle held = this.locks.acquire(WatchedLock.patiently());
			List<CompletableFuture<LockHandle>> waiter = new ArrayList<>();
			Map<String, Long> cost = costOf(() -> waiter.add(queued(this.otherLocks)));
			held.close();
			waiter.get(0).join().close();
			return cost;
		})).isEqualTo(queueing());
	}

	@Test
	void aHandOverIsOneRoundTripOfEachSideAndOneMessage() {
		assertThat(cheapestOf(() -> {
			LockHandle held = this.locks.acquire(WatchedLock.patiently());
			CompletableFuture<LockHandle> waiter = queued(this.otherLocks);
			long before = calls("pexpire");
			Map<String, Long> cost = costOf(() -> {
				held.close();
				// a listener is not notified of a renewal before the acquisition
				WatchedLock.await("first renewal").until(() -> calls("pexpire") > before);
			});
			waiter.join().close();
			return cost;
		})).isEqualTo(sum(Map.of("evalsha", 2L, "get", 1L, "exists", 3L, "lpop", 1L, "time", 1L, "mget", 1L),
				Map.of("hget", 1L, "hdel", 1L, "set", 2L, "publish", 1L, "pexpire", 1L)));
	}

	/** The first renewal asks who waits, and then each third one. */
	@Test
	void aRenewalIsOneRoundTrip() {
		this.locks.acquire(WatchedLock.once().leaseTime(Duration.ofSeconds(4)));
		Map<String, Long> cost = costOf(() -> WatchedLock.await("renewals").until(() -> this.renewals.get() > 2));
		long count = cost.getOrDefault("evalsha", 0L);
		assertThat(count).isGreaterThan(2);
		assertThat(cost)
			.isEqualTo(Map.of("evalsha", count, "mget", count, "pexpire", count, "exists", (count + 2) / 3));
	}

	@Test
	void renewalsThatAreDueAtTheSameTimeShareARoundTrip() {
		for (int i = 0; i < 40; i++) {
			this.locks.acquire(LockRequest.of("lock" + i).leaseTime(Duration.ofSeconds(4)));
		}
		Map<String, Long> cost = costOf(() -> WatchedLock.await("renewals").until(() -> this.renewals.get() >= 80));
		long calls = cost.getOrDefault("evalsha", 0L);
		assertThat(cost).containsEntry("mget", calls).doesNotContainKeys("get", "set", "time");
		assertThat(cost.getOrDefault("pexpire", 0L)).isGreaterThanOrEqualTo(Math.max(80, 3 * calls));
	}

	@Test
	void aFailedWaitIsARoundTripToQueueAndOneToLeave() {
		assertThat(cheapestOf(() -> {
			LockHandle held = this.otherLocks.acquire(WatchedLock.patiently());
			long before = calls("hdel");
			Map<String, Long> cost = costOf(() -> {
				this.locks.tryAcquire(WatchedLock.once().waitTime(Duration.ofMillis(400)));
				WatchedLock.await("leaving").until(() -> calls("hdel") > before);
			});
			held.close();
			return cost;
		})).isEqualTo(sum(queueing(), Map.of("evalsha", 1L, "get", 1L, "hdel", 1L, "hlen", 1L, "del", 1L)));
	}

	/**
	 * At the same time the subscription is probed, and the owner is notified once more.
	 */
	@Test
	void waitingCostsOnlyTheRetriesOfTheFirstWaiter() {
		this.otherLocks.acquire(WatchedLock.patiently());
		queued(this.locks);
		queued(this.locks, 0);
		long start = System.nanoTime();
		Map<String, Long> cost = costOf(() -> pass(Duration.ofSeconds(5)));
		long most = Duration.ofNanos(System.nanoTime() - start).toMillis() / 1_700 + 1;
		long count = cost.getOrDefault("evalsha", 0L);
		assertThat(count).isBetween(1L, most);
		assertThat(cost).isEqualTo(Map.of("evalsha", count, "exists", 2 * count, "get", count, "pttl", count, "time",
				count, "hset", count, "pexpire", 2 * count, "lindex", count, "subscribe", count, "publish", 2 * count));
	}

	@Test
	void aThousandFairWaitersOfOneJvmStayQueuedByAFewCalls() {
		LockRequest fair = WatchedLock.patiently().fair(true);
		this.otherLocks.acquire(fair);
		List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			waiters.add(later(this.locks, fair));
		}
		WatchedLock.await("queued").until(() -> deadlines(fair).size() == 1000);
		long start = System.nanoTime();
		long first = Collections.min(deadlines(fair));
		Map<String, Long> cost = costOf(() -> WatchedLock.await("six seconds")
			.until(() -> Collections.min(deadlines(fair)) > first + 6_000_000));
		long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
		assertThat(cost.getOrDefault("evalsha", 0L)).isBetween(1L, 30 * (millis / 1000 + 1));
		assertThat(deadlines(fair)).hasSize(1000);
		assertThat(waiters).noneMatch(CompletableFuture::isDone);
	}

	/** The deadlines of the waiters, in microseconds of the time of Redis. */
	private List<Long> deadlines(LockRequest request) {
		List<String> entries = this.redis.list("HVALS", "lock:{" + request.name() + "}:d");
		return entries.stream().map((entry) -> Long.valueOf(entry.split(" ")[0])).toList();
	}

	@Test
	void aReleaseEndsTheRenewalOfAnyKindOfHold() {
		LockRequest renewedOften = WatchedLock.patiently().leaseTime(Duration.ofSeconds(2));
		this.locks.execute(renewedOften, () -> this.locks.execute(renewedOften, () -> "inner"));
		LockHandle held = this.otherLocks.acquire(renewedOften);
		CompletableFuture<LockHandle> waiter = later(this.locks, renewedOften);
		held.close();
		waiter.join().close();
		assertThat(costOf(() -> pass(Duration.ofSeconds(1)))).isEmpty();
	}

	@Test
	void anIdleTemplateSendsNothing() {
		template();
		assertThat(costOf(() -> pass(Duration.ofSeconds(3)))).isEmpty();
	}

	private static Map<String, Long> queueing() {
		return Map.of("evalsha", 1L, "exists", 2L, "get", 1L, "pttl", 1L, "time", 1L, "hset", 1L, "rpush", 1L,
				"publish", 1L, "pexpire", 2L);
	}

	private Map<String, Long> costOf(Runnable work) {
		return this.redis.commandsDuring(work).calls();
	}

	private static Map<String, Long> cheapestOf(Supplier<Map<String, Long>> run) {
		return Stream.generate(run)
			.limit(RUNS)
			.min(Comparator.comparing((calls) -> new CommandCounts(calls).total()))
			.orElseThrow();
	}

	private static Map<String, Long> sum(Map<String, Long> one, Map<String, Long> other) {
		Map<String, Long> sum = new HashMap<>(one);
		other.forEach((command, count) -> sum.merge(command, count, Long::sum));
		return sum;
	}

	/** Requests a busy lock, and waits until the request is queued. */
	private CompletableFuture<LockHandle> queued(RedisLockTemplate template) {
		return queued(template, 1);
	}

	private CompletableFuture<LockHandle> queued(RedisLockTemplate template, int places) {
		long before = calls("hset");
		CompletableFuture<LockHandle> waiter = later(template, WatchedLock.patiently());
		WatchedLock.await("queued").until(() -> calls("hset") >= before + places);
		return waiter;
	}

	private static CompletableFuture<LockHandle> later(RedisLockTemplate template, LockRequest request) {
		return template.acquireAsync(request).toCompletableFuture().orTimeout(30, TimeUnit.SECONDS);
	}

	/** Counts are read by INFO, which is not counted. */
	private long calls(String command) {
		return this.redis.commandStats().of(command);
	}

	/** Checks that nothing happens for some time. */
	private static void pass(Duration time) {
		WatchedLock.await("time").pollDelay(time).until(() -> true);
	}

}
