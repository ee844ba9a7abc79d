package io.github.lockboot.sample;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
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
		try (SampleProcess sample = SampleProcess.start(folder, SampleProcess.freePort(),
				"--spring.threads.virtual.enabled=true")) {
			await().atMost(SampleProcess.START).until(() -> sample.instances().size() == 1);
			JsonNode sale = sample.post("/flash-sale?buyers=500&stock=100&guard=lock");
			assertThat(sale.get("sold").intValue()).as(sale.toString()).isEqualTo(100);
			assertThat(sale.get("soldOut").intValue()).as(sale.toString()).isEqualTo(400);
		}
	}

}
