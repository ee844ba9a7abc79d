package io.github.lockboot.simulation;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.simulation.server.LuaMachine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Defects that are put into the scripts and the engine: a history finds each of them,
 * unless the list says otherwise. A build tries a few of those of the engine, and
 * {@code -Dsimulation.defects=1} all of them.
 */
@Tag("long")
class DefectTests {

	private static final String[] OF_ENGINE = { "exclusion", "tokens", "telling", "progress" };

	/** How many histories of each kind are run for a defect of the engine. */
	private static final long HISTORIES = 100;

	@ParameterizedTest
	@ValueSource(strings = { "script", "script of minimum hold times", "script of the cache", "script of tags",
			"exclusion", "exclusion, not found", "tokens", "tokens, not found", "tokens, not tried",
			"telling, not tried", "progress, not tried" })
	void eachCanBePutIntoTheSource(String kind) {
		assertThat(Defect.of(kind)).isNotEmpty()
			.allSatisfy((defect) -> assertThat(defect.occurrences()).as(defect.toString()).isOne());
	}

	static List<Defect> ofEngine() {
		List<Defect> all = Defect.of(OF_ENGINE);
		int step = Integer.getInteger("simulation.defects", 7);
		return IntStream.range(0, all.size()).filter((i) -> i % step == 0).mapToObj(all::get).toList();
	}

	@ParameterizedTest
	@MethodSource("ofEngine")
	void aHistoryFindsOneOfTheEngine(Defect defect, @TempDir Path folder) throws Exception {
		LongFunction<String> search = defect.search(folder);
		CompletableFuture<String> found = CompletableFuture.supplyAsync(() -> search.apply(HISTORIES),
				(task) -> new DaemonThreads("defect").newThread(task).start());
		assertThat(found.completeOnTimeout("it hangs", 120, TimeUnit.SECONDS).join()).isNotEmpty();
	}

	static List<Defect> ofScripts() {
		return Defect.of("script");
	}

	@ParameterizedTest
	@MethodSource("ofScripts")
	void aHistoryOfAtMostTwentyDecisionsFinds(Defect defect) {
		try (Simulation simulation = new Simulation(defect::putInto)) {
			long number = simulation.find(History::of, 1, 300);
			assertThat(number).as("the first history that finds " + defect).isPositive();
			History shortest = simulation.shrink(History.of(number));
			assertThat(simulation.run(shortest, false).violation()).isNotNull();
			assertThat(shortest.decisions()).hasSizeLessThanOrEqualTo(20);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "there is a permit too many", "the tokens of a hand-over stand still" })
	void aSearchFinds(String text) {
		Defect defect = ofScripts().stream().filter((each) -> each.text().equals(text)).findFirst().orElseThrow();
		try (LuaMachine lua = new LuaMachine(defect::putInto)) {
			assertThat(Scope.all()).anyMatch((scope) -> new Search(scope, lua).walks(1, 80, 80).violation() != null);
		}
	}

	@Test
	void aHistoryOfMinimumHoldTimesFindsALateRenewal() {
		Defect defect = Defect.of("script of minimum hold times").get(0);
		try (Simulation simulation = new Simulation(defect::putInto)) {
			assertThat(simulation.find(History::kept, 1, 300)).isPositive();
		}
	}

	@Test
	void aHistoryOfMinimumHoldTimesFindsCommandsThatOvertakeEachOther() {
		try (Simulation simulation = new Simulation(UnaryOperator.identity(), true)) {
			long number = simulation.find(History::kept, 101, 300);
			assertThat(number).isPositive();
			assertThat(simulation.run(History.kept(number), false).violation()).contains("has been free for");
		}
	}

	static List<Defect> ofCache() {
		return Defect.of("script of the cache", "script of tags");
	}

	@ParameterizedTest
	@MethodSource("ofCache")
	void oneOfAHundredHistoriesOfTheCacheFinds(Defect defect) {
		try (Simulation simulation = new Simulation(defect::putInto)) {
			assertThat(simulation.find(defect.kind().endsWith("tags") ? CacheHistories::tagged : CacheHistories::of, 1,
					100))
				.isPositive();
		}
	}

}
