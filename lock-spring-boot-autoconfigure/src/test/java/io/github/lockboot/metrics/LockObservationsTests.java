package io.github.lockboot.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.local.LocalLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The observations of locks of one JVM.
 */
class LockObservationsTests {

	private static final LockRequest ORDER = LockRequest.of("order:42").group("order");

	private final TestObservationRegistry registry = TestObservationRegistry.create();

	@AutoClose
	private final LocalLockTemplate locks = template(this.registry);

	@Test
	void aSectionIsOneWaitAndOneHold() {
		this.locks.execute(ORDER, () -> {
		});
		check().hasNumberOfObservationsEqualTo(2);
		wait("acquired");
		hold("released");
	}

	@Test
	void theNameOfTheLockIsAHighCardinalityKey() {
		this.locks.acquire(ORDER).close();
		check().hasObservationWithNameEqualTo("lock.held")
			.that()
			.hasContextualNameEqualTo("hold lock order")
			.hasLowCardinalityKeyValue("name", "order")
			.hasHighCardinalityKeyValue("lock", "order:42");
	}

	@Test
	void bothAreChildrenOfTheCallersObservation() {
		Observation caller = Observation.start("caller", this.registry);
		caller.scoped(() -> this.locks.execute(ORDER, () -> {
		}));
		caller.stop();
		childrenOf(caller);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void anAsynchronousCallForOneOrSeveralLocksIsAChildOfItsCallerToo(int locks) {
		Observation caller = Observation.start("caller", this.registry);
		caller.scoped(() -> this.locks.acquireAsync((locks == 1) ? ORDER : LockRequest.allOf("order:42", "order:43")))
			.thenCompose(LockHandle::closeAsync)
			.toCompletableFuture()
			.orTimeout(30, TimeUnit.SECONDS)
			.join();
		caller.stop();
		check().hasNumberOfObservationsWithNameEqualTo("lock.wait", locks);
		check().forAllObservationsWithNameEqualTo("lock.wait", (wait) -> wait.hasParentObservationEqualTo(caller));
		check().forAllObservationsWithNameEqualTo("lock.held", (hold) -> hold.hasParentObservationEqualTo(caller));
		wait("acquired");
		hold("released");
	}

	@Test
	void aHoldIsNotTheCurrentObservationOfItsThread() {
		this.locks.execute(ORDER, () -> assertThat(this.registry.getCurrentObservation()).isNull());
	}

	@Test
	void aBusyLockIsNoError() {
		LockHandle lock = this.locks.acquire(ORDER);
		assertThat(this.locks.tryAcquire(ORDER.name("order:42").group("other").waitTime(Duration.ZERO))).isNull();
		lock.close();
		check().hasAnObservation((observation) -> observation.hasLowCardinalityKeyValue("name", "other")
			.hasLowCardinalityKeyValue("outcome", "skipped")
			.doesNotHaveError());
	}

	@Test
	void aRefusalIsNoError() {
		new LockObservations(this.registry).onRequested(ORDER)
			.onNotAcquired(ORDER, LockNotAcquiredException.tooManyWaiting("order:42", Duration.ZERO, 100),
					Duration.ZERO);
		check().hasAnObservation(
				(observation) -> observation.hasLowCardinalityKeyValue("outcome", "refused").doesNotHaveError());
	}

	@Test
	void anInterruptedWaitIsAnError() {
		LockHandle lock = this.locks.acquire(ORDER);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(LockInterruptedException.class)
			.isThrownBy(() -> this.locks.acquire(ORDER.group("other")));
		assertThat(Thread.interrupted()).isTrue();
		lock.close();
		check().hasAnObservation((observation) -> observation.hasLowCardinalityKeyValue("name", "other")
			.hasLowCardinalityKeyValue("outcome", "interrupted")
			.hasError());
	}

	@Test
	void aLostLockIsAnError() {
		try (LockHandle lock = this.locks.acquire(ORDER)) {
			this.locks.forceRelease(lock.name());
		}
		Awaitility.await().untilAsserted(() -> hold("lost"));
		check().hasObservationWithNameEqualTo("lock.held")
			.that()
			.hasError()
			.thenError()
			.isInstanceOf(LockLostException.class);
	}

	@Test
	void aRegistryThatObservesNothingCostsNothing() {
		assertThat(new LockObservations(ObservationRegistry.NOOP).onRequested(ORDER))
			.isInstanceOf(LockObservations.class);
	}

	@Test
	void metersOfObservationsDoNotConflictWithThoseOfLocks() {
		PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		meters.throwExceptionOnRegistrationFailure();
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
		try (LocalLockTemplate locks = new LocalLockTemplate(LockDefaults.defaults(),
				List.of(new LockObservations(observations), new LockMetrics(meters)))) {
			locks.acquire(ORDER).close();
			locks.acquire("report").close();
		}
		assertThat(meters.scrape()).contains("lock_held_seconds_count", "lock_hold_seconds_count");
	}

	private void childrenOf(Observation caller) {
		check().hasObservationWithNameEqualTo("lock.wait").that().hasParentObservationEqualTo(caller);
		check().hasObservationWithNameEqualTo("lock.held").that().hasParentObservationEqualTo(caller);
	}

	private void wait(String outcome) {
		ended("lock.wait", outcome);
	}

	private void hold(String outcome) {
		ended("lock.held", outcome);
	}

	private void ended(String name, String outcome) {
		check().hasObservationWithNameEqualTo(name)
			.that()
			.hasLowCardinalityKeyValue("outcome", outcome)
			.hasBeenStarted()
			.hasBeenStopped();
	}

	private TestObservationRegistryAssert check() {
		return TestObservationRegistryAssert.assertThat(this.registry);
	}

	private static LocalLockTemplate template(ObservationRegistry registry) {
		return new LocalLockTemplate(LockDefaults.defaults(), List.of(new LockObservations(registry)));
	}

}
