package io.github.lockboot.test.example;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.test.LocalLocks;
import io.github.lockboot.test.LockJournal;
import io.github.lockboot.test.OtherNode;

import static io.github.lockboot.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.willAnswer;

@SpringBootTest
@LocalLocks
class OrderServiceTests {

	@Autowired
	OrderService orders;

	@MockitoBean
	OrderService.Bank bank;

	@Autowired
	JdbcClient db;

	@Autowired
	LockOperations locks;

	@Autowired
	LockJournal journal;

	@Autowired
	OtherNode otherNode;

	@Test
	void eachOrderHasItsOwnLock() {
		this.orders.pay("4711");
		assertThat(this.journal).hasAcquiredExactly("order:4711").hasReleased("order:4711");
	}

	@Test
	void orderIsLockedDuringTheCallOfTheBank() {
		willAnswer((call) -> assertThat(this.locks).lock("order:4711").isHeld()).given(this.bank).transfer("4711");
		this.orders.pay("4711");
		assertThat(this.locks).lock("order:4711").isFree();
	}

	@Test
	void fallbackIsCalledWhileAnotherNodeHoldsTheLock() {
		this.otherNode.hold("order:4711");
		assertThat(this.orders.pay("4711")).isEqualTo("payment in progress");
		assertThat(this.orders.pay("4712")).isEqualTo("paid");
	}

	@Test
	void nothingIsPaidIfTheLockIsLost() {
		willAnswer((call) -> this.otherNode.takeOver("order:4713")).given(this.bank).transfer("4713");
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.orders.pay("4713"));
		assertThat(this.journal).hasLost("order:4713");
		assertThat(this.db.sql("SELECT * FROM paid WHERE order_id = '4713'").query().listOfRows()).isEmpty();
	}

}
