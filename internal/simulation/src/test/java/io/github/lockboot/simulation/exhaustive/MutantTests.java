package io.github.lockboot.simulation.exhaustive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;

import io.github.lockboot.simulation.Scope;
import io.github.lockboot.simulation.Search;
import io.github.lockboot.simulation.Search.Result;
import io.github.lockboot.simulation.exhaustive.Mutants.Mutant;
import io.github.lockboot.simulation.server.LuaMachine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scripts with one change each: a rule finds the change, or at least a reply, a message
 * or a key differs from those of the shipped scripts. Those that are listed do neither. A
 * sample in each build, all with {@code -Dsimulation=night}.
 */
@Tag("long")
class MutantTests {

	private static final boolean NIGHT = "night".equals(System.getProperty("simulation"));

	private static final long SEED = Long.getLong("simulation.seed", 1);

	private static final int SAMPLE = 10;

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
		List<String> foundAlthoughListed = new ArrayList<>();
		try (LuaMachine shipped = new LuaMachine()) {
			List<List<String>> expected = Trace.of(shipped).toList();
			for (Mutant mutant : mutants) {
				String found = found(mutant, expected);
				boolean expectedToLive = listed.contains("`" + mutant + "`");
				counts.merge((found != null) ? found : expectedToLive ? "listed" : "alive", 1, Integer::sum);
				if (found == null && !expectedToLive) {
					survivors.add(mutant.toString());
					System.out.println("alive: " + mutant);
				}
				if (found != null && expectedToLive) {
					foundAlthoughListed.add(mutant + ": " + found);
				}
			}
		}
		System.out.println("Mutants: " + mutants.size() + " of " + all + ", seed " + SEED + ": " + counts);
		assertThat(counts).containsKey("broke a rule");
		assertThat(survivors).isEmpty();
		assertThat(foundAlthoughListed).as("listed as alive, but found").isEmpty();
		if (NIGHT) {
			assertThat(counts).containsEntry("listed",
					(int) listed.lines().filter((line) -> line.startsWith("- ")).count());
		}
	}

	static @Nullable String found(Mutant mutant, List<List<String>> expected) {
		try (LuaMachine lua = new LuaMachine(mutant::applied)) {
			for (Scope scope : Scope.all()) {
				Result result = new Search(scope, lua).walks(SEED, NIGHT ? 40 : 5, 80);
				if (result.violation() != null) {
					return "broke a rule";
				}
			}
			Iterator<List<String>> found = Trace.of(lua).iterator();
			return expected.stream().allMatch((trace) -> trace.equals(found.next())) ? null : "differed";
		}
		catch (IllegalStateException ex) {
			return "did not end";
		}
	}

}
