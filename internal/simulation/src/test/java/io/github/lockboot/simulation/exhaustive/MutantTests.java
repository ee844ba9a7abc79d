package io.github.lockboot.simulation.exhaustive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;

import io.github.lockboot.redis.ShippedScripts;
import io.github.lockboot.simulation.exhaustive.Mutants.Mutant;
import io.github.lockboot.simulation.exhaustive.Search.Result;
import io.github.lockboot.simulation.server.LuaMachine;
import io.github.lockboot.simulation.server.RandomCalls;
import io.github.lockboot.simulation.server.RandomCalls.Call;
import io.github.lockboot.simulation.server.Rights;
import io.github.lockboot.simulation.server.SimulatedRedis;
import io.github.lockboot.simulation.server.SimulatedRedis.Version;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scripts with one change each: a rule finds the change, or at least a reply, a message
 * or a key differs from those of the shipped scripts. Those that are listed do neither. A
 * sample in each build, all with {@code -Dsimulation=night}.
 */
class MutantTests {

	private static final boolean NIGHT = "night".equals(System.getProperty("simulation"));

	private static final long SEED = Long.getLong("simulation.seed", 1);

	private static final int SAMPLE = 10;

	private static final List<Scope> SCOPES = List.of(Scope.of(1, 1, 1), Scope.of(2, 2, 2),
			Scope.of(1, Integer.MAX_VALUE, Integer.MAX_VALUE));

	@Test
	void eachMutantIsFoundOrListed() throws IOException {
		String listed = new ClassPathResource("mutants.md", MutantTests.class)
			.getContentAsString(StandardCharsets.UTF_8);
		List<Mutant> mutants = new ArrayList<>(Mutants.all());
		int all = mutants.size();
		if (!NIGHT) {
			Collections.shuffle(mutants, new Random(SEED));
			mutants = mutants.subList(0, SAMPLE);
		}
		Map<String, Integer> counts = new TreeMap<>();
		List<String> survivors = new ArrayList<>();
		try (LuaMachine shipped = new LuaMachine()) {
			List<String> expected = trace(shipped);
			for (Mutant mutant : mutants) {
				String found = found(mutant, expected);
				boolean expectedToLive = listed.contains("`" + mutant + "`");
				counts.merge((found != null) ? found : expectedToLive ? "listed" : "alive", 1, Integer::sum);
				if (found == null && !expectedToLive) {
					survivors.add(mutant.toString());
					System.out.println("alive: " + mutant);
				}
			}
		}
		System.out.println("Mutants: " + mutants.size() + " of " + all + ", seed " + SEED + ": " + counts);
		assertThat(survivors).isEmpty();
	}

	static @Nullable String found(Mutant mutant, List<String> expected) {
		try (LuaMachine lua = new LuaMachine(mutant::applied)) {
			for (Scope scope : SCOPES) {
				Result result = new Search(scope, lua).walks(SEED, NIGHT ? 100 : 40, 40);
				if (result.violation() != null) {
					return "broke a rule";
				}
			}
			return expected.equals(trace(lua)) ? null : "differed";
		}
		catch (IllegalStateException ex) {
			return "did not end";
		}
	}

	/** What calls of all scripts reply, publish and leave. */
	static List<String> trace(LuaMachine lua) {
		List<String> trace = new ArrayList<>();
		for (long seed = 1; seed <= 8; seed++) {
			long[] now = new long[1];
			SimulatedRedis server = new SimulatedRedis(lua, (seed < 8) ? Version.SEVEN : Version.SIX, () -> now[0],
					(connection, kind, channel, message) -> trace.add(message));
			int connection = server.connect(Rights.ALL);
			RandomCalls.JVMS.subList(0, 2)
				.forEach((jvm) -> server.execute(connection, "SUBSCRIBE", ShippedScripts.CHANNELS + jvm));
			for (Call call : new RandomCalls(seed, 1).next(400)) {
				now[0] = call.micros();
				trace.add(call.micros() + String.valueOf(run(server, connection, call)));
				trace.add(server.dump());
			}
		}
		return trace;
	}

	private static @Nullable Object run(SimulatedRedis server, int connection, Call call) {
		List<String> words = new ArrayList<>();
		if (call.script() == null) {
			words.addAll(call.words());
		}
		else {
			List<String> keys = RandomCalls.keys(call);
			words.addAll(List.of("EVAL", call.script().text(), "" + keys.size()));
			words.addAll(keys);
			words.addAll(call.words());
		}
		return server.execute(connection, words.get(0), words.subList(1, words.size()).toArray(String[]::new));
	}

}
