package io.github.lockboot.aop.lock;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;

import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.DistributedSemaphore;
import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.annotation.ScheduledLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Several lock annotations that could lock one method.
 */
class SeveralAnnotationsTests {

	private final RecordingLockOperations locks = new RecordingLockOperations();

	private final LockedProxies proxies = new LockedProxies(this.locks);

	@Test
	void lockTogetherWithAScheduledLockIsAnError() {
		rejected(Service::scheduled, "Service.scheduled() is invalid: @DistributedLock stands with @ScheduledLock",
				"Move one of the annotations to a method of another bean that calls this method");
	}

	@Test
	void lockTogetherWithASemaphoreIsAnError() {
		rejected(Service::limited, "@DistributedLock stands with @DistributedSemaphore");
	}

	@Test
	void lockTogetherWithAnAnnotationThatIncludesOneIsAnError() {
		rejected(Service::composed, "@DistributedLock stands with @Nightly");
	}

	@Test
	void annotationThatIncludesTwoIsAnError() {
		rejected(Service::twofold, "@Twofold of ", "@DistributedSemaphore stands with @ScheduledLock");
	}

	@Test
	void twoAnnotationsOfAClassAreAnError() {
		assertThatExceptionOfType(InvalidLockAnnotationException.class)
			.isThrownBy(this.proxies.proxy(new LimitedClass())::run)
			.withMessageContaining("LimitedClass.run() is invalid: @DistributedLock stands with @DistributedSemaphore");
	}

	@Test
	void annotationOfAMethodOverridesThatOfItsClass() {
		LockedClass proxy = this.proxies.proxy(new LockedClass());
		proxy.own();
		proxy.ofTheClass();
		assertThat(this.locks.requests()).hasSize(2);
		assertThat(this.locks.requests().get(0).name()).isEqualTo("own");
		assertThat(this.locks.requests().get(1).permits()).isEqualTo(5);
	}

	@Test
	void annotationOfAMethodOverridesThatOfTheMethodItOverrides() {
		this.proxies.proxy(new Overriding()).own();
		assertThat(this.locks.request().permits()).isEqualTo(3);
	}

	private void rejected(Consumer<Service> call, String... message) {
		Service service = this.proxies.proxy(new Service());
		assertThatExceptionOfType(InvalidLockAnnotationException.class).isThrownBy(() -> call.accept(service))
			.satisfies((ex) -> assertThat(ex).hasMessageContainingAll(message));
		assertThat(this.locks.requests()).isEmpty();
	}

	static class Service {

		@DistributedLock(name = "job")
		@ScheduledLock(name = "job", minHoldTime = "1s")
		public void scheduled() {
		}

		@DistributedLock(name = "job")
		@DistributedSemaphore(name = "limit", permits = "3")
		public void limited() {
		}

		@Nightly
		@DistributedLock(name = "job")
		public void composed() {
		}

		@Twofold
		public void twofold() {
		}

	}

	@DistributedLock
	@DistributedSemaphore(permits = "3")
	static class LimitedClass {

		public void run() {
		}

	}

	@DistributedSemaphore(permits = "5")
	static class LockedClass {

		@DistributedLock(name = "own")
		public void own() {
		}

		public void ofTheClass() {
		}

	}

	static class Overriding extends LockedClass {

		@Override
		@DistributedSemaphore(permits = "3")
		public void own() {
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@ScheduledLock(name = "nightly", minHoldTime = "1s")
	@interface Nightly {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@DistributedSemaphore(permits = "3")
	@ScheduledLock(name = "nightly", minHoldTime = "1s")
	@interface Twofold {

	}

}
