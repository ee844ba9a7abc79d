package io.github.lockboot.aop.lock;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.DistributedSemaphore;
import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.annotation.LockMode;
import io.github.lockboot.annotation.OnNotAcquired;
import io.github.lockboot.annotation.Renew;
import io.github.lockboot.annotation.ScheduledLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The requests for the attributes of an annotation.
 */
class LockedMethodAttributesTests {

	private static final LockedMethodDefaults NAMED = new LockedMethodDefaults(
			new LockDefaults(Duration.ofSeconds(1), Duration.ofSeconds(2), OnLost.THROW, Duration.ofSeconds(4),
					LockRelease.SENT, Duration.ofSeconds(9), 5, null),
			false, false, Duration.ofSeconds(3), "7", OnNotAcquired.THROW);

	private final RecordingLockOperations locks = new RecordingLockOperations();

	private final RecordingLockOperations others = new RecordingLockOperations();

	private final LockedProxies proxies = new LockedProxies(this.locks);

	private Service service() {
		return this.proxies.proxy(new Service());
	}

	@Test
	void methodWithoutAttributesIsRenewedWithoutHoldTimesOrOrder() {
		service().plain();
		assertThat(this.locks.request()).isEqualTo(LockRequest.of("plain")
			.group("plain")
			.waitTime(Duration.ofSeconds(3))
			.leaseTime(Duration.ofSeconds(30))
			.renew(true)
			.onLost(OnLost.LOG)
			.reason("LockedMethodAttributesTests.Service.plain"));
	}

	@Test
	void propertiesOfTheNameApplyToTheLock() {
		this.proxies.defaults("plain", NAMED);
		service().plain();
		assertThat(this.locks.request()).isEqualTo(new LockRequest(List.of("plain"), "plain", Duration.ofSeconds(1),
				Duration.ofSeconds(2), false, Duration.ofSeconds(3), Duration.ofSeconds(4), Duration.ofSeconds(9),
				false, 1, 5, OnLost.THROW, LockRelease.SENT, "LockedMethodAttributesTests.Service.plain"));
	}

	@Test
	void attributesOverrideTheProperties() {
		this.proxies.defaults("full", NAMED);
		service().full();
		assertThat(this.locks.request()).isEqualTo(new LockRequest(List.of("full"), "full", Duration.ofSeconds(5),
				Duration.ofSeconds(6), true, Duration.ofSeconds(7), Duration.ofSeconds(8), Duration.ofSeconds(9), true,
				1, 7, OnLost.INTERRUPT, LockRelease.SENT, "LockedMethodAttributesTests.Service.full"));
	}

	@Test
	void renewalIsDisabledOnlyExplicitly() {
		service().longLease();
		service().notRenewed();
		assertThat(this.locks.requests()).extracting(LockRequest::renew).containsExactly(true, false);
	}

	@Test
	void limitsOfZeroRemoveThoseOfTheProperties() {
		this.proxies.defaults("unlimited", NAMED);
		service().unlimited();
		assertThat(this.locks.request().maxHoldTime()).isZero();
		assertThat(this.locks.request().maxWaiting()).isZero();
	}

	@Test
	void invalidHoldTimeOfAPropertyIsNotReportedForTheAnnotation() {
		this.proxies.defaults("brief", NAMED);
		assertThatExceptionOfType(InvalidLockAnnotationException.class).isThrownBy(() -> service().brief())
			.withMessageContaining(
					"its minHoldTime '5s' is longer than the 4s of lock.max-hold-time or lock.locks[brief].max-hold-time");
	}

	@Test
	void templateIsABeanByItsName() {
		this.proxies.bean("others", this.others);
		service().elsewhere();
		assertThat(this.others.names()).containsExactly("elsewhere");
		assertThat(this.locks.names()).isEmpty();
	}

	@Test
	void beanOfAnotherTypeIsNoTemplate() {
		this.proxies.bean("others", "text");
		assertThatExceptionOfType(InvalidLockAnnotationException.class).isThrownBy(() -> service().elsewhere())
			.withMessageContaining("its template 'others'");
	}

	@Test
	void scheduledLockTriesOnceAndSkips() {
		service().nightly();
		assertThat(this.locks.request().name()).isEqualTo("nightly");
		assertThat(this.locks.request().waitTime()).isZero();
		assertThat(this.locks.request().minHoldTime()).hasSeconds(30);
		assertThat(this.locks.request().maxHoldTime()).hasMinutes(60);
		new LockedProxies(new RefusingLocks()).proxy(new Service()).nightly();
	}

	@Test
	void sharedModeLetsOthersShareTheLock() {
		service().shared();
		assertThat(this.locks.request().isShared()).isTrue();
	}

	@Test
	void semaphoreHasItsPermitsAndTheAttributesOfALock() {
		service().limited("a");
		assertThat(this.locks.request().permits()).isEqualTo(3);
		assertThat(this.locks.request().name()).isEqualTo("limited:a");
		assertThat(this.locks.request().waitTime()).hasSeconds(1);
		assertThat(this.locks.request().maxWaiting()).isEqualTo(8);
	}

	@Test
	void permitsOfAnExpressionAreThoseOfEachCall() {
		Service service = service();
		service.perTenant(2);
		service.perTenant(5);
		assertThat(this.locks.requests()).extracting(LockRequest::permits).containsExactly(2, 5);
	}

	@Test
	void warmCallAllocatesAlmostNothing() {
		Service service = service();
		for (int i = 0; i < 20_000; i++) {
			service.keyed("42");
			this.locks.requests().clear();
			this.locks.events().clear();
		}
		long own = allocatedByACall(() -> service.keyed("42"));
		long without = allocatedByACall(() -> service.unlocked("42"));
		assertThat(own - without).isLessThan(2048);
	}

	private long allocatedByACall(Runnable call) {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < 1000; i++) {
			call.run();
			this.locks.requests().clear();
			this.locks.events().clear();
		}
		return (threads.getCurrentThreadAllocatedBytes() - before) / 1000;
	}

	static class Service {

		@DistributedLock(name = "plain")
		public void plain() {
		}

		@DistributedLock(name = "full", waitTime = "5s", leaseTime = "6s", renew = Renew.ON, minHoldTime = "7s",
				maxHoldTime = "8s", maxWaiting = 7, fair = true, onLost = OnLost.INTERRUPT)
		public void full() {
		}

		@DistributedLock(leaseTime = "1h")
		public void longLease() {
		}

		@DistributedLock(renew = Renew.OFF)
		public void notRenewed() {
		}

		@DistributedLock(name = "unlimited", maxHoldTime = "0", maxWaiting = 0)
		public void unlimited() {
		}

		@DistributedLock(name = "brief", minHoldTime = "5s")
		public void brief() {
		}

		@DistributedLock(name = "elsewhere", template = "others")
		public void elsewhere() {
		}

		@ScheduledLock(name = "nightly", minHoldTime = "30s", maxHoldTime = "1h")
		public void nightly() {
		}

		@DistributedLock(name = "shared", mode = LockMode.SHARED)
		public void shared() {
		}

		@DistributedSemaphore(name = "limited", key = "#key", permits = "3", waitTime = "1s", maxWaiting = 8)
		public void limited(String key) {
		}

		@DistributedSemaphore(name = "tenant", permits = "#limit")
		public void perTenant(Object limit) {
		}

		@DistributedLock(name = "keyed", key = "#key")
		public void keyed(String key) {
		}

		public void unlocked(String key) {
		}

	}

}
