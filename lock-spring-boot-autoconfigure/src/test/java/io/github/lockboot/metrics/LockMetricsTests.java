package io.github.lockboot.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.local.LocalLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

/**
 * The meters of locks of one JVM.
 */
class LockMetricsTests {

	private static final LockRequest ORDER = LockRequest.of("order:42").group("order");

	private static final LockRequest ONCE = ORDER.waitTime(Duration.ZERO);

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final LockMetrics metrics = new LockMetrics(this.registry);

	@AutoClose
	private final LocalLockTemplate locks = new LocalLockTemplate(LockDefaults.defaults(), List.of(this.metrics));

	@Test
	void eachMeterExistsFromTheFirstCallAndHasADescription() {
		assertThat(this.registry.getMeters()).isEmpty();
		this.locks.execute(ORDER, () -> {
		});
		assertThat(this.registry.getMeters()).hasSize(14)
			.allSatisfy((meter) -> assertThat(meter.getId().getDescription()).isNotEmpty());
	}

	@Test
	void anAcquiredLockIsTimed() {
		this.locks.execute(ORDER, () -> {
		});
		assertThat(calls("acquired")).isOne();
		assertThat(this.registry.get("lock.hold").tag("name", "order").timer().count()).isOne();
	}

	@Test
	void aBusyLockIsASeparateOutcome() {
		LockHandle lock = this.locks.acquire(ORDER);
		assertThat(this.locks.tryAcquire(ONCE.waitTime(Duration.ofMillis(1)))).isNull();
		lock.close();
		assertThat(calls("busy")).isOne();
	}

	@Test
	void aCallerThatDoesNotWantToWaitSkipsABusyLock() {
		LockHandle lock = this.locks.acquire(ORDER);
		assertThat(this.locks.tryAcquire(ONCE)).isNull();
		lock.close();
		assertThat(calls("busy")).isZero();
		assertThat(calls("skipped")).isOne();
		assertThat(gauge("lock.waiting")).isZero();
	}

	@Test
	void theOldestHoldIsMeasuredWhileItLasts() {
		LockHandle lock = this.locks.acquire(ORDER);
		this.locks.acquire(ORDER.name("order:43")).close();
		Awaitility.await().until(() -> gauge("lock.hold.oldest") > 0.01);
		lock.close();
		assertThat(gauge("lock.hold.oldest")).isZero();
	}

	@Test
	void aRefusalAndAFailingStoreAreSeparateOutcomes() {
		this.metrics.onRequested(ORDER)
			.onNotAcquired(ORDER, LockNotAcquiredException.tooManyWaiting("order:42", Duration.ZERO, 100),
					Duration.ZERO);
		assertThat(calls("refused")).isOne();
		assertThat(calls("unavailable")).isZero();
		this.metrics.onRequested(ORDER)
			.onNotAcquired(ORDER, new LockUnavailableException("order:42", "down", new IllegalStateException()),
					Duration.ofMillis(1));
		assertThat(calls("unavailable")).isOne();
	}

	@Test
	void anInterruptedCallIsASeparateOutcome() {
		LockHandle lock = this.locks.acquire(ORDER);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.locks.acquire(ORDER));
		assertThat(Thread.interrupted()).isTrue();
		lock.close();
		assertThat(calls("interrupted")).isOne();
	}

	@Test
	void locksAreActiveWhileTheyAreHeld() {
		LockHandle one = this.locks.acquire(ORDER);
		LockHandle two = this.locks.acquire(ORDER.name("order:43"));
		assertThat(gauge("lock.active")).isEqualTo(2);
		one.close();
		two.close();
		assertThat(gauge("lock.active")).isZero();
	}

	@Test
	void callersAreWaitingUntilTheirCallEnds() {
		LockHandle lock = this.locks.acquire(ORDER);
		Thread waiter = new Thread(() -> this.locks.execute(ORDER.waitTime(Duration.ofMinutes(1)), () -> {
		}));
		waiter.start();
		Awaitility.await().untilAsserted(() -> assertThat(gauge("lock.waiting")).isOne());
		lock.close();
		Awaitility.await().untilAsserted(() -> assertThat(calls("acquired")).isEqualTo(2));
		assertThat(gauge("lock.waiting")).isZero();
	}

	@Test
	void aRequestThatIsRejectedAtOnceIsNotWaiting() {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> this.locks.acquire(" "));
		this.locks.execute(ORDER, () -> {
		});
		assertThat(gauge("lock.waiting")).isZero();
	}

	@Test
	void anAsynchronousCallIsMeasuredLikeAnyOther() {
		this.locks.acquireAsync(ORDER)
			.thenCompose(LockHandle::closeAsync)
			.toCompletableFuture()
			.orTimeout(30, TimeUnit.SECONDS)
			.join();
		assertThat(calls("acquired")).isOne();
		assertThat(gauge("lock.active")).isZero();
		assertThat(gauge("lock.waiting")).isZero();
	}

	@Test
	void aLostLockIsCountedAndNoLongerActive() {
		try (LockHandle lock = this.locks.acquire(ORDER)) {
			this.locks.forceRelease(lock.name());
		}
		Awaitility.await().untilAsserted(() -> assertThat(lost()).isOne());
		assertThat(gauge("lock.active")).isZero();
		assertThat(this.registry.get("lock.hold").timer().count()).isOne();
	}

	@Test
	void warningsBeforeALossAreCounted() {
		LockListener call = this.metrics.onRequested(ORDER);
		call.onAtRisk(ORDER, Mockito.mock(LockHandle.class), "its renewal failed", Duration.ofSeconds(10));
		assertThat(this.registry.get("lock.at.risk").tag("name", "order").counter().count()).isOne();
	}

	@Test
	void nothingIsLostAtFirst() {
		this.locks.acquire(ORDER).close();
		assertThat(lost()).isZero();
	}

	@Test
	void renewalsAreCounted() {
		// short, but long enough to survive a pause of the machine of a second
		LockHandle lock = this.locks.acquire(ORDER.leaseTime(Duration.ofSeconds(3)));
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(this.registry.get("lock.lease.used").summary().count()).isGreaterThanOrEqualTo(2));
		lock.close();
		assertThat(this.registry.get("lock.renewals").counter().count()).isGreaterThanOrEqualTo(2);
		assertThat(this.registry.get("lock.lease.used").summary().totalAmount()).isPositive();
	}

	@Test
	void aRenewalRecordsTheUsedPartOfTheLease() {
		LockHandle handle = Mockito.mock(LockHandle.class);
		LockListener call = this.metrics.onRequested(ORDER);
		call.onRenewed(ORDER, handle, Duration.ofSeconds(30), Duration.ofSeconds(20));
		call.onRenewed(ORDER, handle, Duration.ofSeconds(30), Duration.ofSeconds(3));
		assertThat(this.registry.get("lock.lease.used").summary().totalAmount()).isCloseTo(0.333 + 0.9, within(0.01));
	}

	@Test
	void theFirstRenewalAfterAHandOverIsMeasuredByTheShortLeaseUntilThen() {
		LockHandle handle = Mockito.mock(LockHandle.class);
		this.metrics.onRequested(ORDER).onRenewed(ORDER, handle, Duration.ofSeconds(2), Duration.ofMillis(1_900));
		assertThat(this.registry.get("lock.lease.used").summary().max()).isCloseTo(0.05, within(0.01));
	}

	@Test
	void aLockIsTaggedByItsGroupAndNeverByItsName() {
		for (int i = 0; i < 100; i++) {
			this.locks.acquire(ORDER.name("order:" + i)).close();
			this.locks.acquire("report:" + i).close();
		}
		assertThat(tagValues()).isEqualTo("[acquired, busy, interrupted, none, order, refused, skipped, unavailable]");
	}

	@Test
	void aReentrantAcquisitionIsNoSecondHold() {
		this.locks.execute(ORDER, () -> this.locks.execute(ORDER, () -> assertThat(gauge("lock.active")).isOne()));
		assertThat(calls("acquired")).isOne();
	}

	private String tagValues() {
		return this.registry.getMeters()
			.stream()
			.map(Meter::getId)
			.flatMap((id) -> id.getTags().stream())
			.map(Tag::getValue)
			.distinct()
			.sorted()
			.collect(Collectors.joining(", ", "[", "]"));
	}

	private long calls(String outcome) {
		return this.registry.get("lock.acquire").tag("name", "order").tag("outcome", outcome).timer().count();
	}

	private double gauge(String name) {
		return this.registry.get(name).tag("name", "order").gauge().value();
	}

	private double lost() {
		return this.registry.get("lock.lost").tag("name", "order").counter().count();
	}

}
