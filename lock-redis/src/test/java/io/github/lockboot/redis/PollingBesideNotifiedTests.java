package io.github.lockboot.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.DependsOnRedisVersion;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.redis.connection.Applications;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An instance that Redis does not notify beside instances that it does. Each template
 * represents an instance.
 */
@DependsOnRedisVersion
@Timeout(60)
@Tag("long")
class PollingBesideNotifiedTests extends TwoTemplates {

	/** What a loaded machine may add. */
	private static final Duration SLACK = Duration.ofSeconds(2);

	private static final LockRequest REQUEST = WatchedLock.patiently();

	private static final LockRequest RETAINED = REQUEST.retainTime(Duration.ofMinutes(1));

	private final AtomicBoolean stopped = new AtomicBoolean();

	private final List<RedisLockTemplate> others = new ArrayList<>();

	PollingBesideNotifiedTests() {
		super(RedisFixture.newServer());
		this.locks.acquire("any").close();
	}

	@AfterEach
	void stop() throws InterruptedException {
		this.stopped.set(true);
		this.threads.shutdown();
		this.threads.awaitTermination(20, TimeUnit.SECONDS);
		this.others.forEach(RedisLockTemplate::close);
	}

	@ParameterizedTest
	@CsvSource({ "true, 4, false", "true, 1, true", "false, 4, true", "false, 1, false" })
	void shareOfEitherIsAtMostTwiceThatOfTheOther(boolean mayPublish, int callers, boolean retains) {
		RedisLockTemplate polling = polling(mayPublish);
		LockRequest request = retains ? RETAINED : REQUEST;
		AtomicInteger sections = use(this.locks, request, callers);
		WatchedLock.await("first sections").until(() -> sections.get() > 0);
		AtomicInteger polled = use(polling, request, callers);
		// a busy machine may stop one of them for most of a window
		WatchedLock.await("a window of equal shares")
			.atMost(Duration.ofSeconds(30))
			.until(() -> isEvenlyShared(sections, polled, 200 * callers));
	}

	private static boolean isEvenlyShared(AtomicInteger sections, AtomicInteger polled, int window) {
		int before = sections.get();
		int polledBefore = polled.get();
		WatchedLock.await("sections")
			.atMost(Duration.ofSeconds(30))
			.until(() -> sections.get() + polled.get() > before + polledBefore + window);
		int more = sections.get() - before;
		int morePolled = polled.get() - polledBefore;
		return morePolled >= more / 2 && morePolled <= more * 2;
	}

	/** A semaphore is tested because each of its callers queues on its own. */
	@ParameterizedTest
	@ValueSource(strings = { "fair", "shared", "semaphore" })
	void pollingCallerOfAnyKindIsServedBetweenNotifiedOnes(String kind) {
		LockRequest request = kind.equals("fair") ? REQUEST.fair(true)
				: kind.equals("shared") ? REQUEST.shared() : REQUEST;
		RedisLockTemplate polling = polling(false);
		List<LockHandle> held = new ArrayList<>(List.of(acquire(this.locks, kind, REQUEST)));
		if (kind.equals("semaphore")) {
			held.add(acquire(this.locks, kind, REQUEST));
		}
		List<CompletableFuture<LockHandle>> callers = new ArrayList<>();
		for (RedisLockTemplate locks : List.of(polling, this.locks, polling)) {
			callers.add(CompletableFuture.supplyAsync(() -> acquire(locks, kind, request), this.threads));
			this.watched.awaitWaiting(kind.equals("shared") ? Math.min(2, callers.size()) : callers.size());
		}
		held.forEach(LockHandle::close);
		for (CompletableFuture<LockHandle> caller : callers) {
			caller.orTimeout(5, TimeUnit.SECONDS).join().close();
		}
		this.watched.awaitNothingLeft();
	}

	private static LockHandle acquire(RedisLockTemplate locks, String kind, LockRequest request) {
		return kind.equals("semaphore") ? locks.semaphore(request.name(), 2).acquire() : locks.acquire(request);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void retainedLockIsLetGoWithinASecond(boolean mayPublish) {
		RedisLockTemplate polling = polling(mayPublish);
		polling.acquire("another").close();
		this.locks.acquire(RETAINED).close();
		long start = System.nanoTime();
		polling.acquire(RETAINED).close();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1).plus(SLACK));
	}

	private AtomicInteger use(RedisLockTemplate locks, LockRequest request, int callers) {
		AtomicInteger sections = new AtomicInteger();
		for (int i = 0; i < callers; i++) {
			this.threads.execute(() -> {
				while (!this.stopped.get()) {
					locks.execute(request, () -> {
						long start = System.nanoTime();
						while (System.nanoTime() - start < 1_000_000) {
							Thread.onSpinWait();
						}
						sections.incrementAndGet();
					});
				}
			});
		}
		return sections;
	}

	private RedisLockTemplate polling(boolean mayPublish) {
		if (mayPublish) {
			this.redis.command("ACL", "SETUSER", "shop", "on", ">pw", "~lock:*", "allchannels", "+@all", "-subscribe");
		}
		else {
			this.redis.command("ACL", "SETUSER", "shop", "on", ">pw", "~lock:*", "resetchannels", "+@all");
		}
		RedisLockTemplate template = new RedisLockTemplate(Applications.of(this.redis, "shop", "pw"),
				WatchedLock.SETTINGS, List.of());
		this.others.add(template);
		return template;
	}

}
