package io.github.lockboot.simulation;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import net.bytebuddy.agent.ByteBuddyAgent;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

import io.github.lockboot.simulation.server.LuaMachine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Small changes of the engine, which its tests, a history or a search finds. A build
 * draws twenty of them, which shows that they can be found, and prints those that nothing
 * finds. {@code -Dsimulation.mutants=500} draws more, {@code -Dsimulation.mutants.seed=N}
 * others, and {@code -Dsimulation.mutants.both=true} asks the histories for each. A
 * change takes the place of a class that this JVM has loaded.
 */
@Tag("long")
class EngineMutantTests {

	/** Tests of Fray, which take long, and one of the search. */
	private static final Set<String> NOT_ASKED = Set.of("ThreadOrderTests", "StatesTests");

	/** Tests of Redis and of Redlock that need no server. */
	private static final List<String> OF_REDIS = List.of("redlock.RedlockRoundsTests", "PushMessagesTests");

	private static final long LONGEST_SECONDS = 30;

	private static final String HANGS = "(hangs)";

	private static final Launcher LAUNCHER = LauncherFactory.create(LauncherConfig.builder()
		.enableTestExecutionListenerAutoRegistration(false)
		.enableLauncherSessionListenerAutoRegistration(false)
		.build());

	private static final Logger LOG = (Logger) LoggerFactory.getLogger("io.github.lockboot");

	private static final Instrumentation JVM = ByteBuddyAgent.install();

	private static final List<Class<?>> tests = new ArrayList<>();

	@BeforeAll
	static void findTests() throws Exception {
		for (Resource file : new PathMatchingResourcePatternResolver()
			.getResources("classpath*:io/github/lockboot/engine/*Tests.class")) {
			String name = Objects.requireNonNull(file.getFilename()).replace(".class", "");
			if (!NOT_ASKED.contains(name)) {
				tests.add(Class.forName("io.github.lockboot.engine." + name));
			}
		}
		tests.sort(Comparator.comparing(Class::getName));
		for (String name : OF_REDIS) {
			tests.add(Class.forName("io.github.lockboot.redis." + name));
		}
		assertThat(tests).allSatisfy((test) -> assertThat(failure(test)).isEmpty());
	}

	@Test
	void testsAndHistoriesFindChangesOfTheEngine() throws Exception {
		int count = Integer.getInteger("simulation.mutants", 20);
		boolean both = Boolean.getBoolean("simulation.mutants.both");
		List<String> survivors = new ArrayList<>();
		List<EngineMutant> mutants = EngineMutant.sample(Long.getLong("simulation.mutants.seed", 1), count);
		assertThat(mutants).hasSize(count);
		for (EngineMutant mutant : mutants) {
			long begin = System.nanoTime();
			String test = tests(mutant);
			String history = (test.isEmpty() || both)
					? find(mutant, () -> new HistorySearch().apply(Long.getLong("simulation.mutants.histories", 20)))
					: "-";
			String search = (test + history).isEmpty() ? find(mutant, () -> search(5)) : "-";
			System.out.println("Mutant: " + mutant.text() + " | " + test + " | " + history + " | " + search + " | "
					+ TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms");
			if ((test + history + search).isEmpty()) {
				survivors.add(mutant.text());
			}
			// what has found one change may find the next
			tests.sort(Comparator.comparing((each) -> !test.startsWith(each.getSimpleName() + " ")));
		}
		assertThat(survivors).hasSizeLessThan(count);
	}

	@ParameterizedTest
	@CsvSource({ "engine.LockRequests.acquired, negated conditional", "engine.LockRequests.giveUp, negated conditional",
			"engine.LockMachine.released, OwnedLease::released", "engine.OwnedLease.renewed, Lease::renewed" })
	void aSearchFindsChangesOfTheEngine(String method, String change) throws Exception {
		assertThat(find(EngineMutant.of(method, change), () -> search(40))).isNotEmpty();
	}

	/** Return which test fails, or an empty text. What hangs may fail in another test. */
	private static String tests(EngineMutant mutant) throws Exception {
		String hangs = "";
		for (Class<?> test : List.copyOf(tests)) {
			if (test.getName().contains(".redis.") != mutant.isOfEngine()) {
				String found = find(mutant, () -> failure(test));
				if (!found.isEmpty() && !found.equals(HANGS)) {
					return found;
				}
				hangs += found;
			}
		}
		return hangs;
	}

	/** Return the first failure of a test, which ends then, or an empty text. */
	private static String failure(Class<?> test) {
		AtomicReference<String> failure = new AtomicReference<>("");
		CancellationToken end = CancellationToken.create();
		LOG.setLevel(Level.INFO); // some tests read it
		LAUNCHER.execute(LauncherDiscoveryRequestBuilder.request()
			.selectors(DiscoverySelectors.selectClass(test))
			.configurationParameter("junit.jupiter.execution.timeout.default", "10 s")
			.forExecution()
			.cancellationToken(end)
			.listeners(new TestExecutionListener() {
				@Override
				public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
					if (result.getStatus() == TestExecutionResult.Status.FAILED) {
						failure.compareAndSet("", test.getSimpleName() + " " + identifier.getDisplayName());
						end.cancel();
					}
				}
			})
			.build());
		LOG.setLevel(null);
		return Objects.requireNonNull(failure.get());
	}

	/** Return which walk of a search breaks a rule, or an empty text. */
	private static String search(int walks) {
		try (LuaMachine lua = new LuaMachine()) {
			return Scope.all()
				.stream()
				.map((scope) -> new Search(scope, lua).walks(1, walks, 80))
				.filter((result) -> result.violation() != null)
				.findFirst()
				.map((result) -> "search " + result.violation())
				.orElse("");
		}
	}

	@SuppressWarnings("deprecation") // ends a mutant that loops
	private static String find(EngineMutant mutant, Callable<String> trial) throws Exception {
		FutureTask<String> result = new FutureTask<>(trial);
		Thread thread = new Thread(result, "mutant");
		thread.setDaemon(true);
		redefine(mutant, mutant.bytes());
		try {
			thread.start();
			return result.get(LONGEST_SECONDS, TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			thread.stop();
			thread.join(1_000);
			return HANGS;
		}
		catch (ExecutionException ex) {
			return "(" + NestedExceptionUtils.getMostSpecificCause(ex) + ")";
		}
		finally {
			redefine(mutant, mutant.unchanged());
		}
	}

	private static void redefine(EngineMutant mutant, byte[] bytes) throws Exception {
		JVM.redefineClasses(new ClassDefinition(Class.forName(mutant.type()), bytes));
	}

}
