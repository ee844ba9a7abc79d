package io.github.lockboot.simulation.exhaustive;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.lockboot.simulation.Scope;
import io.github.lockboot.simulation.Search;
import io.github.lockboot.simulation.Search.Result;
import io.github.lockboot.simulation.server.LuaMachine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The library and its scripts in all orders of the steps of a few callers: the rules of
 * the histories, and progress. With {@code -Dsimulation=night} far more states.
 */
@Tag("long")
class SearchTests {

	private static final boolean NIGHT = "night".equals(System.getProperty("simulation"));

	@AutoClose
	private static LuaMachine lua;

	@BeforeAll
	static void start() {
		lua = new LuaMachine();
	}

	static List<Scope> scopes() {
		return Scope.all();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("scopes")
	void noOrderBreaksARule(Scope scope) {
		long begin = System.nanoTime();
		Result result = new Search(scope, lua).breadthFirst(NIGHT ? 1_000_000 : 1_000, 50);
		print(scope + ": " + result, begin);
		assertThat(result.violation()).as(result.toString()).isNull();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("scopes")
	void noRandomWalkBreaksARule(Scope scope) {
		long begin = System.nanoTime();
		Result result = new Search(scope, lua).walks(1, NIGHT ? 20_000 : 60, 80);
		print(scope + ", walks: " + result, begin);
		assertThat(result.violation()).as(result.toString()).isNull();
	}

	private static void print(String text, long begin) {
		System.out.println(text + ", " + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");
	}

}
