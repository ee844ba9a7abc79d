package io.github.lockboot.test.example;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.util.AopTestUtils;

import io.github.lockboot.test.LocalLocks;
import io.github.lockboot.test.LockJournal;

import static io.github.lockboot.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willReturn;

@SpringBootTest
@LocalLocks
class SpiedOrderServiceTests {

	@MockitoSpyBean
	OrderService orders;

	@MockitoBean
	OrderService.Bank bank;

	@Autowired
	LockJournal journal;

	@Test
	void stubbedMethodIsLocked() {
		// the spy, which the lock encloses
		OrderService spy = AopTestUtils.getUltimateTargetObject(this.orders);
		willReturn("stubbed").given(spy).pay(any());
		assertThat(this.orders.pay("4711")).isEqualTo("stubbed");
		then(spy).should().pay("4711");
		assertThat(this.journal).hasAcquiredExactly("order:4711");
	}

}
