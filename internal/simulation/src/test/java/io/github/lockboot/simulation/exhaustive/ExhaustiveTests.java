package io.github.lockboot.simulation.exhaustive;

import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.lockboot.simulation.exhaustive.Search.Result;
import io.github.lockboot.simulation.server.LuaMachine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The shipped scripts in all orders of the calls of a few owners: mutual exclusion,
 * growing tokens, progress, and nothing left behind. With {@code -Dsimulation=night} far
 * more states.
 */
class ExhaustiveTests {

	private static final boolean NIGHT = "night".equals(System.getProperty("simulation"));

	private static LuaMachine lua;

	@BeforeAll
	static void start() {
		lua = new LuaMachine();
	}

	@AfterAll
	static void close() {
		lua.close();
	}

	static Stream<Arguments> scopes() {
		return Stream.of(Arguments.of("two owners", Scope.of(1, 1)), Arguments.of("three owners", Scope.of(1, 1, 1)),
				Arguments.of("three owners, two permits", Scope.of(2, 2, 2)),
				Arguments.of("a writer and two readers", Scope.of(1, Integer.MAX_VALUE, Integer.MAX_VALUE)),
				Arguments.of("two owners, a fail-over", Scope.of(1, 1).withFailOver(false)));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("scopes")
	void noOrderBreaksARule(String name, Scope scope) {
		long begin = System.nanoTime();
		Result result = new Search(scope, lua).breadthFirst(NIGHT ? 10_000_000 : 21_000, 20);
		System.out
			.println(name + ": " + result + ", " + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");
		assertThat(result.violation()).as(result.toString()).isNull();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("scopes")
	void noRandomWalkBreaksARule(String name, Scope scope) {
		long begin = System.nanoTime();
		Result result = new Search(scope, lua).walks(1, NIGHT ? 1_000_000 : 300, 40);
		System.out.println(
				name + ", walks: " + result + ", " + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");
		assertThat(result.violation()).as(result.toString()).isNull();
	}

	@Test
	void theSearchIsTheSameHoweverManyOutcomesAreKept() {
		Scope scope = Scope.of(1, 1).withFailOver(false);
		assertThat(new Search(scope, lua, 10).walks(1, 300, 40)).isEqualTo(new Search(scope, lua).walks(1, 300, 40));
	}

	@Test
	void aFailOverThatLosesTheLastWriteBreaksExclusion() {
		Result result = new Search(Scope.of(1, 1).withFailOverOnly(), lua).breadthFirst(1_000_000, 0);
		System.out.println("fail-over: " + result);
		assertThat(result.violation()).isEqualTo("The lock has 2 holders");
	}

}
