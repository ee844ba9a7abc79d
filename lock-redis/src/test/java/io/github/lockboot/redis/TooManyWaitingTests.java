package io.github.lockboot.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockNotAcquiredException.Reason;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisFixture;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A burst of callers behind a busy lock that at most a hundred of them may wait for. A
 * separate server, so that no other clients are counted.
 */
@Timeout(90)
class TooManyWaitingTests extends TwoTemplates {

	private static final int CALLERS = 10_000;

	private static final int MOST = 100;

	private static final LockRequest LOCK = WatchedLock.patiently().maxWaiting(MOST);

	/** Has one thread for each caller that waits, and one more for all others. */
	private final ExecutorService callers = Executors.newFixedThreadPool(MOST + 1);

	private final AtomicInteger acquired = new AtomicInteger();

	private final AtomicInteger refused = new AtomicInteger();

	TooManyWaitingTests() {
		super(RedisFixture.newServer());
	}

	@AfterEach
	void stop() {
		this.callers.shutdownNow();
	}

	static Stream<Arguments> kinds() {
		return Stream.of(Arguments.of("exclusive", LOCK), Arguments.of("fair", LOCK.fair(true)),
				Arguments.of("shared", LOCK.shared()), Arguments.of("semaphore", LOCK.permits(3)));
	}

	/** Those that wait send commands, some of them again after two seconds. */
	@ParameterizedTest(name = "{0}")
	@MethodSource("kinds")
	void ofTenThousandCallersAHundredWaitAndTheOthersAreRefusedWithoutACommand(String kind, LockRequest request) {
		List<LockHandle> held = Stream.generate(() -> this.otherLocks.acquire(holder(request)))
			.limit(request.isShared() ? 1 : request.permits())
			.toList();
		CommandCounts cost = this.redis.commandsDuring(() -> {
			for (int i = 0; i < CALLERS; i++) {
				this.callers.execute(() -> call(request));
			}
			WatchedLock.await("refused").untilAsserted(() -> assertThat(this.refused).hasValue(CALLERS - MOST));
		});
		assertThat(cost.of("evalsha")).isPositive().isLessThan(10 * MOST);
		WatchedLock.await("waiting").untilAsserted(() -> assertThat(this.locks.activity().waiting()).hasSize(MOST));
		held.forEach(LockHandle::close);
		WatchedLock.await("acquired").untilAsserted(() -> assertThat(this.acquired).hasValue(MOST));
	}

	private static LockRequest holder(LockRequest request) {
		return request.isShared() ? WatchedLock.once() : request.waitTime(Duration.ZERO);
	}

	private void call(LockRequest request) {
		try (LockHandle handle = this.locks.acquire(request)) {
			this.acquired.addAndGet(handle.isHeld() ? 1 : 0);
		}
		catch (LockNotAcquiredException ex) {
			this.refused.addAndGet((ex.reason() == Reason.TOO_MANY_WAITING) ? 1 : 0);
		}
	}

}
