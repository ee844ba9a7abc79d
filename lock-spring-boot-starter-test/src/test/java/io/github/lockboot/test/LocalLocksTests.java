package io.github.lockboot.test;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.local.LocalLockTemplate;

import static io.github.lockboot.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * One annotation provides a test with locks, even if it configures nothing else.
 */
@SpringJUnitConfig
@LocalLocks
@TestMethodOrder(MethodOrderer.DisplayName.class)
class LocalLocksTests {

	@Autowired
	Orders orders;

	@Autowired
	LockOperations locks;

	@Autowired
	LockJournal journal;

	@Autowired
	OtherNode otherNode;

	@MockitoBean
	Stock mocked;

	@MockitoSpyBean
	Shelf spied;

	@Test
	void locksAreInMemory() {
		assertThat((Object) this.locks).isInstanceOf(LocalLockTemplate.class);
	}

	@Test
	void annotatedMethodIsLocked() {
		this.orders.pay("1");
		assertThat(this.journal).hasAcquiredExactly("order:1");
	}

	@Test
	void spyIsLockedButAMockIsNot() {
		this.mocked.take();
		this.spied.take();
		assertThat(this.journal).hasAcquiredExactly("shelf");
	}

	/** The second run finds neither the hold nor the journal of the first. */
	@RepeatedTest(2)
	void nothingIsLeftFromThePreviousTest() {
		assertThat(this.locks).lock("order:1").isFree();
		assertThat(this.journal).hasAcquiredNothing();
		this.orders.pay("2");
		this.otherNode.hold("order:1");
	}

	@Nested
	class WithinANestedClass {

		@Autowired
		LockOperations locks;

		@Test
		void locksAreInMemoryToo() {
			assertThat((Object) this.locks).isInstanceOf(LocalLockTemplate.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Orders.class, Shelf.class })
	static class Application {

	}

	static class Orders {

		@DistributedLock(name = "order", key = "#orderId")
		public void pay(String orderId) {
		}

	}

	static class Stock {

		@DistributedLock(name = "stock")
		public void take() {
		}

	}

	static class Shelf {

		@DistributedLock(name = "shelf")
		public void take() {
		}

	}

}
