package io.github.lockboot.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The diagram of {@code docs/engine.md} shows the states and transitions of the code.
 */
class StatesTests {

	private static final Pattern DIAGRAM = Pattern.compile("(?ms)^```mermaid\n(.*?)^```$");

	private static final Pattern ARROW = Pattern.compile("(?m)^ +([A-Z]+) --> ([A-Z]+): .+$");

	@Test
	void theDiagramIsThatOfTheAttempt() throws IOException {
		String page = Files.readString(Path.of("..", "docs", "engine.md"));
		String diagram = DIAGRAM.matcher(page).results().map((found) -> found.group(1)).findFirst().orElseThrow();
		assertThat(ARROW.matcher(diagram).results().map(StatesTests::arrow))
			.containsExactlyInAnyOrderElementsOf(transitions(Attempt.State.values(), (from, to) -> from.mayBecome(to)));
	}

	private static String arrow(MatchResult found) {
		return found.group(1) + " --> " + found.group(2);
	}

	private static <S> List<String> transitions(S[] states, BiPredicate<S, S> mayBecome) {
		return Stream.of(states)
			.flatMap((from) -> Stream.of(states)
				.filter((to) -> mayBecome.test(from, to))
				.map((to) -> from + " --> " + to))
			.toList();
	}

}
