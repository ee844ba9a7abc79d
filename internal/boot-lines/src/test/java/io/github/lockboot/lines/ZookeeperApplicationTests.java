package io.github.lockboot.lines;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import io.github.lockboot.fixture.TestEnsemble;
import io.github.lockboot.zookeeper.ZookeeperLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with locks in ZooKeeper.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "lock.backend=zookeeper", "lock.cache.enabled=false" })
class ZookeeperApplicationTests extends ApplicationContract {

	@DynamicPropertySource
	static void zookeeper(DynamicPropertyRegistry registry) {
		registry.add("lock.zookeeper.connect-string", () -> TestEnsemble.single().connectString());
	}

	@Override
	Class<?> template() {
		return ZookeeperLockTemplate.class;
	}

	@Test
	void theHealthShowsTheConnection() {
		assertThat(this.actuator.get("health/locks").body()).contains("\"state\":\"CONNECTED\"");
	}

}
