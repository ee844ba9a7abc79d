package io.github.lockboot.simulation.mutants;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Small changes of the engine, which its tests or a history find. A build draws five of
 * them, which shows that they can be found, and prints those that nothing finds.
 * {@code -Dsimulation.mutants=500} draws more, {@code -Dsimulation.mutants.seed=N}
 * others, and {@code -Dsimulation.mutants.both=true} asks the histories for each.
 */
@Tag("long")
class EngineMutantTests {

	private static final String TRIAL = "io.github.lockboot.simulation.MutantTrial";

	/** Tests that take long or look at what is printed, and one of the search. */
	private static final Set<String> NOT_ASKED = Set.of("ThreadOrderTests", "AbandonedAttemptsTests",
			"BlockingCallbacksTests", "InterruptedThreadTests", "StatesTests");

	private static final long LONGEST_SECONDS = 60;

	@Test
	void testsAndHistoriesFindChangesOfTheEngine() throws Exception {
		int count = Integer.getInteger("simulation.mutants", 5);
		boolean both = Boolean.getBoolean("simulation.mutants.both");
		List<String> tests = testsOfTheEngine();
		List<String> survivors = new ArrayList<>();
		List<EngineMutant> mutants = EngineMutant.sample(Long.getLong("simulation.mutants.seed", 1), count);
		assertThat(mutants).hasSize(count);
		for (EngineMutant mutant : mutants) {
			String test = find(mutant, "tests", List.class, tests);
			String history = (test.isEmpty() || both)
					? find(mutant, "histories", long.class, Long.getLong("simulation.mutants.histories", 60)) : "-";
			System.out.println("Mutant: " + mutant.text() + " | " + test + " | " + history);
			if (test.isEmpty() && history.isEmpty()) {
				survivors.add(mutant.text());
			}
		}
		assertThat(survivors).hasSizeLessThan(count);
	}

	@ParameterizedTest
	@CsvSource({ "engine.LockRequests.acquired, negated conditional", "engine.LockRequests.giveUp, negated conditional",
			"engine.LockMachine.released, OwnedLease::released", "engine.OwnedLease.renewed, Lease::renewed" })
	void aSearchFindsChangesOfTheEngine(String method, String change) throws Exception {
		assertThat(find(EngineMutant.of(method, change), "search", long.class, 40L)).isNotEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "engine.LockMachine.taken, LockMachine::change", "engine.OwnedLease.replied, OwnedLease::loseOrEnd",
			"engine.OwnedLease.lambda$lose, OwnedLease::notifyLost",
			"engine.LockRequests.repeatIfReleased, LockRequests::repeatIfWaiting",
			"engine.OwnedLease.released, OwnedLease::abandon", "engine.OwnedLease.released, OwnedLease::notifyLost",
			"engine.support.AbandonedAttempts.answered, AbandonedAttempts::queue" })
	void aHistoryFindsChangesOfTheEngine(String method, String change) throws Exception {
		assertThat(find(EngineMutant.of(method, change), "histories", long.class, 150L)).isNotEmpty();
	}

	/** Return the tests that find nothing in the engine as it is. */
	private static List<String> testsOfTheEngine() throws Exception {
		Resource[] classes = new PathMatchingResourcePatternResolver()
			.getResources("classpath*:io/github/lockboot/engine/*Tests.class");
		List<String> tests = Stream.of(classes)
			.map((file) -> Objects.requireNonNull(file.getFilename()).replace(".class", ""))
			.filter((name) -> !NOT_ASKED.contains(name))
			.map("io.github.lockboot.engine."::concat)
			.sorted()
			.collect(Collectors.toCollection(ArrayList::new));
		EngineMutant unchanged = new EngineMutant("none", new byte[0], "unchanged");
		String failed = find(unchanged, "tests", List.class, tests);
		while (!failed.isEmpty()) {
			String name = failed.replaceFirst(" .*", "");
			tests.removeIf((test) -> test.endsWith("." + name));
			failed = find(unchanged, "tests", List.class, tests);
		}
		assertThat(tests).hasSizeGreaterThan(20);
		return tests;
	}

	@SuppressWarnings("deprecation") // ends a mutant that loops
	private static String find(EngineMutant mutant, String method, Class<?> type, Object argument)
			throws IOException, InterruptedException {
		MutantLoader loader = new MutantLoader(mutant);
		FutureTask<String> trial = new FutureTask<>(
				() -> (String) Class.forName(TRIAL, true, loader).getMethod(method, type).invoke(null, argument));
		Thread thread = new Thread(trial, "mutant");
		thread.setContextClassLoader(loader);
		thread.setDaemon(true);
		thread.start();
		try {
			return trial.get(LONGEST_SECONDS, TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			thread.stop();
			return "(hangs)";
		}
		catch (ExecutionException ex) {
			return "(" + NestedExceptionUtils.getMostSpecificCause(ex) + ")";
		}
	}

}
