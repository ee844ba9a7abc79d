package io.github.lockboot.lines;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with locks and a cache in a Redis Cluster.
 */
@Tag("long")
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@DirtiesContext
@Timeout(60)
class ClusterApplicationTests {

	private static final RedisCluster CLUSTER = RedisFixture.newCluster(3, 0);

	@Autowired
	Orders orders;

	@Autowired
	Products products;

	@DynamicPropertySource
	static void redis(DynamicPropertyRegistry registry) {
		registry.add("spring.data.redis.cluster.nodes", () -> CLUSTER.nodes().get(0));
	}

	@Test
	void locksAreHeldAndValuesAreCachedOnAllMasters() {
		assertThat(IntStream.range(0, 20)).allSatisfy((order) -> {
			assertThat(this.orders.pay("cluster-" + order)).isTrue();
			Products.Product loaded = this.products.find("cluster-" + order);
			this.products.awaitCached(() -> this.products.find("cluster-" + order), loaded);
		});
	}

}
