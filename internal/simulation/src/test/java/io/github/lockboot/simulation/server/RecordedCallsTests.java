package io.github.lockboot.simulation.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.github.lockboot.faults.RecordedCalls;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.simulation.server.SimulatedRedis.Version;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of the scripts that the fault suite makes on a real server: the simulated one
 * gives the same replies, messages and keys.
 */
class RecordedCallsTests {

	private static final int CALLS = "night".equals(System.getProperty("simulation")) ? 100_000 : 2_000;

	private static final List<RecordedCall> RECORDED = new ArrayList<>();

	@BeforeAll
	static void record(@TempDir Path folder) {
		Map<String, Integer> counts = new TreeMap<>();
		RecordedCalls.of(folder, CALLS).stream().map(RecordedCall::of).filter(RecordedCall::isExact).forEach((call) -> {
			RECORDED.add(call);
			counts.merge(call.file(), 1, Integer::sum);
		});
		System.out.println("Recorded calls: " + counts);
	}

	@Test
	void theSimulatedServerRepliesAsTheRealOneDid() {
		assertThat(RECORDED).hasSizeGreaterThan(100);
		assertThat(differences(UnaryOperator.identity())).isEmpty();
	}

	@Test
	void aChangedScriptRepliesOtherwise() {
		assertThat(differences((text) -> text.replace("lease + memory", "lease"))).isNotEmpty();
	}

	/** The first few differences, each with its call. */
	private static List<String> differences(UnaryOperator<String> change) {
		Version version = RedisFixture.version().startsWith("6.") ? Version.SIX : Version.SEVEN;
		try (LuaMachine lua = new LuaMachine(change)) {
			return RECORDED.stream().flatMap((call) -> call.differences(lua, version).stream()).limit(3).toList();
		}
	}

}
