package io.github.lockboot.simulation;

import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Runs some histories of each kind until one breaks a rule. */
public final class HistorySearch implements LongFunction<String> {

	/** Return which history breaks a rule, or an empty text. */
	@Override
	public String apply(long count) {
		try (Simulation simulation = new Simulation(UnaryOperator.identity())) {
			return Stream.<LongFunction<History>>of(History::single, History::kept, History::of)
				.map((histories) -> simulation.find(histories, 1, count))
				.filter((number) -> number > 0)
				.findFirst()
				.map("history %d"::formatted)
				.orElse("");
		}
	}

}
