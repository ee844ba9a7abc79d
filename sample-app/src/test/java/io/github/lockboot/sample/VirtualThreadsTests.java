package io.github.lockboot.sample;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.test.util.TestSocketUtils;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The sample on virtual threads.
 */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsTests {

	@Test
	void saleWithLockSellsExactlyTheStock(@TempDir Path folder) {
		try (SampleProcess sample = SampleProcess.start(folder, TestSocketUtils.findAvailableTcpPort(),
				"--spring.threads.virtual.enabled=true")) {
			await().atMost(Duration.ofSeconds(60)).until(() -> sample.instances().size() == 1);
			JsonNode sale = sample.post("/flash-sale?buyers=500&stock=100&guard=lock");
			assertThat(sale.get("sold").intValue()).as(sale.toString()).isEqualTo(100);
			assertThat(sale.get("soldOut").intValue()).as(sale.toString()).isEqualTo(400);
		}
	}

}
