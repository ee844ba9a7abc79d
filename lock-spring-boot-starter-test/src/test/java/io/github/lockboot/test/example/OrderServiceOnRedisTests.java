package io.github.lockboot.test.example;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

import io.github.lockboot.test.OtherNode;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@Testcontainers(disabledWithoutDocker = true)
class OrderServiceOnRedisTests {

	@Container
	@ServiceConnection("redis")
	static final GenericContainer<?> redis = new GenericContainer<>("redis:8").withExposedPorts(6379);

	@Autowired
	OrderService orders;

	@MockitoBean
	OrderService.Bank bank;

	@Autowired
	OtherNode otherNode;

	@Test
	void fallbackIsCalledWhileAnotherNodeHoldsTheLock() {
		this.otherNode.hold("order:4711");
		assertThat(this.orders.pay("4711")).isEqualTo("payment in progress");
		assertThat(this.orders.pay("4712")).isEqualTo("paid");
	}

}
