package io.github.lockboot.leader;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ApplicationEventPublisher;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.local.LocalLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * The election of one instance, on locks whose state the test sets.
 */
@Timeout(60)
class LeaderElectionTests {

	private final AtomicBoolean held = new AtomicBoolean(true);

	private final AtomicInteger failures = new AtomicInteger();

	private final LockHandle hold = hold();

	private final List<Object> events = new CopyOnWriteArrayList<>();

	@AutoClose
	private final LeaderElection election = LeaderElection.of(new Locks(), "reports");

	@Test
	void aBlankRoleIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> LeaderElection.of(new Locks(), " "))
			.withMessage(
					"The role of a leader election must not be blank: name it after its work, for example 'reports'");
	}

	@Test
	void nobodyLeadsBeforeTheStart() {
		assertThat(this.election.isLeader()).isFalse();
		assertThat(this.election.isRunning()).isFalse();
	}

	@Test
	void theDeadlineOfTheLeaseEndsALeadershipWithoutAMessage() {
		lead();
		this.held.set(false);
		assertThat(this.election.isLeader()).isFalse();
		assertThat(this.election.leadership()).isNull();
		then(this.hold).should().onLost(any()); // and nobody has called back
	}

	@Test
	void aListenerThatFailsDoesNotEndTheLeadership() {
		this.election.setApplicationEventPublisher((event) -> {
			this.events.add(event);
			throw new IllegalStateException("from the listener");
		});
		lead();
		this.election.stop();
		assertThat(this.events).hasSize(2);
		assertThat(this.held).isFalse();
	}

	@Test
	void aListenerMayStopTheElection() {
		this.election.setApplicationEventPublisher((event) -> this.election.stop());
		this.election.start();
		Awaitility.await().until(() -> !this.held.get());
		assertThat(this.election.isRunning()).isFalse();
	}

	@Test
	void aListenerThatDoesNotReturnDoesNotKeepTheLock() {
		CountDownLatch never = new CountDownLatch(1);
		try (LeaderElection hasty = hasty((event) -> awaitDespiteInterrupts(never));
				CapturedLog log = new CapturedLog()) {
			lead(hasty);
			hasty.stop();
			assertThat(this.held).isFalse();
			assertThat(log.lines("although a listener of its events has not returned")).hasSize(1);
			never.countDown();
		}
	}

	@Test
	void eventsAreInOrderThoughAListenerHasOutlivedItsElection() {
		CountDownLatch never = new CountDownLatch(1);
		try (LeaderElection hasty = hasty((event) -> {
			awaitDespiteInterrupts(never);
			this.events.add(event.getClass());
		})) {
			lead(hasty);
			hasty.stop();
			this.held.set(true);
			hasty.start();
			assertThat(hasty.isLeader()).as("while the listener works").isFalse();
			never.countDown();
			Awaitility.await().until(() -> {
				this.held.set(true); // the former campaign releases its lock meanwhile
				return this.events.size() >= 3;
			});
			assertThat(this.events).startsWith(LeaderElected.class, LeaderRevoked.class, LeaderElected.class);
		}
	}

	@Test
	void aStopWaitsForARunningCall() {
		lead();
		Runnable end = Objects.requireNonNull(this.election.begin(false));
		CompletableFuture<Void> stop = CompletableFuture.runAsync(this.election::stop);
		Awaitility.await().until(() -> !this.election.isLeader());
		assertThat(this.election.begin(true)).as("a later call").isNull();
		assertThat(stop).isNotDone();
		assertThat(this.held).isTrue();
		end.run();
		stop.join();
		assertThat(this.held).isFalse();
	}

	@Test
	void aCallThatStopsItsElectionIsNotWaitedFor() {
		lead();
		assertThat(this.election.begin(true)).isNotNull();
		this.election.stop();
		assertThat(this.held).isFalse();
	}

	@Test
	void aCallThatDoesNotEndDoesNotKeepTheLock() {
		try (LeaderElection hasty = hasty((event) -> {
		}); CapturedLog log = new CapturedLog()) {
			lead(hasty);
			hasty.begin(false);
			hasty.stop();
			assertThat(this.held).isFalse();
			assertThat(log.lines("of role 'reports' resigns after 50 ms")).singleElement()
				.asString()
				.contains("calls of @LeaderOnly methods are still running");
		}
	}

	@Test
	void aStopThatIsInterruptedReleasesTheLock() {
		CountDownLatch never = new CountDownLatch(1);
		this.election.setApplicationEventPublisher((event) -> awaitDespiteInterrupts(never));
		lead();
		try (CapturedLog log = new CapturedLog()) {
			Thread.currentThread().interrupt();
			this.election.stop();
			assertThat(Thread.interrupted()).isTrue();
			assertThat(this.held).isFalse();
			assertThat(log.lines("of role 'reports' resigns")).singleElement()
				.asString()
				.contains("because the thread that stops it was interrupted");
		}
		never.countDown();
	}

	@Test
	void anOutageEndsNoCandidacyAndIsLoggedOnce() {
		this.failures.set(3);
		try (CapturedLog log = new CapturedLog()) {
			lead();
			assertThat(log.lines("can't be elected as leader of role 'reports'")).singleElement()
				.asString()
				.startsWith("WARN")
				.contains("the store is down");
		}
	}

	@Test
	void aCandidateThatStopsLeavesTheQueue() {
		try (LocalLockTemplate locks = new LocalLockTemplate(LockDefaults.defaults(), List.of());
				LockHandle other = locks.acquire("leader:reports");
				LeaderElection candidate = LeaderElection.of(locks, "reports")) {
			candidate.start();
			Awaitility.await().until(() -> locks.activity().waiting().size() == 1);
			candidate.stop();
			assertThat(locks.activity().waiting()).isEmpty();
			assertThat(other.isHeld()).isTrue();
		}
	}

	private void lead() {
		lead(this.election);
	}

	private static void lead(LeaderElection election) {
		election.start();
		Awaitility.await().until(election::isLeader);
	}

	/** Return an election that waits for 50 ms when it stops. */
	private LeaderElection hasty(ApplicationEventPublisher events) {
		LeaderElection hasty = LeaderElection.of(new Locks(), "reports", null, Duration.ofMillis(50));
		hasty.setApplicationEventPublisher(events);
		return hasty;
	}

	private static void awaitDespiteInterrupts(CountDownLatch latch) {
		while (latch.getCount() > 0) {
			LockSupport.parkNanos(latch, 1_000_000);
			Thread.interrupted();
		}
	}

	private LockHandle hold() {
		LockHandle hold = mock();
		given(hold.isHeld()).willAnswer((call) -> this.held.get());
		given(hold.remainingLease()).willReturn(Duration.ofHours(1));
		given(hold.fencingToken()).willReturn(42L);
		willAnswer((call) -> {
			this.held.set(false);
			return null;
		}).given(hold).close();
		return hold;
	}

	private final class Locks extends RecordingLockOperations {

		@Override
		public LockHandle acquire(LockRequest request) {
			if (LeaderElectionTests.this.failures.getAndDecrement() > 0) {
				throw new LockUnavailableException(request.name(), "the store is down", null);
			}
			return LeaderElectionTests.this.hold;
		}

	}

}
