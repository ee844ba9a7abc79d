package io.github.lockboot;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import io.github.lockboot.concurrent.MonotonicClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a simulation runs has no time, randomness or threads of its own: all of these come
 * from the {@link MonotonicClock} or the connection, so that a seed repeats them.
 */
class DeterminismTest {

	private static final Set<String> EXCEPTIONS = Set.of(
			// the clock of a JVM, and the threads that a simulation replaces
			"MonotonicClock", "SystemClock", "DaemonThreads",
			// text of the log
			"FutureWait", "OutageLog",
			// a part of the client library, which a simulation replaces
			"PrivateClient",
			// clusters, which are not simulated
			"ClusterTopology");

	private static final JavaClasses MAIN = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.withImportOption((location) -> !location.contains("-tests.jar") && !location.contains("fixtures/target"))
		.importPackages("io.github.lockboot.concurrent", "io.github.lockboot.engine", "io.github.lockboot.redis");

	@Test
	void whatASimulationRunsHasNoTimeRandomnessOrThreadsOfItsOwn() {
		assertThat(MAIN.stream().filter((type) -> !EXCEPTIONS.contains(outermost(type))).flatMap(this::findings))
			.isEmpty();
	}

	@Test
	void eachExceptionIsStillNeeded() {
		assertThat(MAIN.stream().filter((type) -> findings(type).findAny().isPresent()).map(this::outermost))
			.containsAll(EXCEPTIONS);
	}

	private String outermost(JavaClass type) {
		return type.getEnclosingClass().map(this::outermost).orElse(type.getSimpleName());
	}

	private Stream<String> findings(JavaClass type) {
		return Stream
			.of(type.getMethodCallsFromSelf(), type.getMethodReferencesFromSelf(), type.getConstructorCallsFromSelf())
			.flatMap(Set::stream)
			.map((access) -> (JavaCodeUnitAccess<?>) access)
			.filter((access) -> isOutsideOfSimulation(access.getTarget()))
			.map(JavaCodeUnitAccess::getDescription);
	}

	private static boolean isOutsideOfSimulation(AccessTarget.CodeUnitAccessTarget target) {
		List<JavaClass> parameters = target.getRawParameterTypes();
		boolean hasExecutor = !parameters.isEmpty()
				&& parameters.get(parameters.size() - 1).getSimpleName().equals("Executor");
		return switch (target.getOwner().getName()) {
			case "java.lang.System" ->
				target.getName().equals("nanoTime") || target.getName().equals("currentTimeMillis");
			case "java.time.Instant" -> target.getName().equals("now");
			case "java.util.concurrent.ThreadLocalRandom" -> target.getName().equals("current");
			case "java.lang.Thread" -> target.getName().equals("<init>");
			case "java.util.concurrent.CompletableFuture", "java.util.concurrent.CompletionStage" ->
				target.getName().endsWith("Async") && !hasExecutor;
			default -> false;
		};
	}

}
