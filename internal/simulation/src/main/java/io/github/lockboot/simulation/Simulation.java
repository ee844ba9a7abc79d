package io.github.lockboot.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.simulation.server.LuaMachine;

/**
 * Runs histories, and makes one that breaks a rule as short as possible.
 */
final class Simulation implements AutoCloseable {

	/** How many seeds of the network are tried for a shorter history. */
	private static final int SEEDS = 6;

	private final LuaMachine lua;

	private final boolean unordered;

	Simulation(UnaryOperator<String> replacement) {
		this(replacement, false);
	}

	/**
	 * Create a simulation with defects.
	 * @param replacement changes the scripts
	 * @param unordered whether calls of one JVM overtake each other
	 */
	Simulation(UnaryOperator<String> replacement, boolean unordered) {
		this.lua = new LuaMachine(replacement);
		this.unordered = unordered;
	}

	Outcome run(History history, boolean tells) {
		return World.run(history, this.lua, tells, this.unordered);
	}

	/** Return the number of the first history that breaks a rule, or -1. */
	long find(LongFunction<History> histories, long first, long count) {
		for (long number = first; number < first + count; number++) {
			if (run(histories.apply(number), false).violation() != null) {
				return number;
			}
		}
		return -1;
	}

	/**
	 * Leaves decisions out of a history as long as it breaks a rule: first half of them,
	 * then fewer, then single ones.
	 */
	History shrink(History failing) {
		History shortest = failing;
		for (int size = failing.decisions().size() / 2; size >= 1; size = (size == 1) ? 0 : size / 2) {
			boolean again = true;
			while (again) {
				again = false;
				for (int from = 0; from < shortest.decisions().size(); from += size) {
					History shorter = failing(without(shortest, from, size));
					if (shorter != null) {
						shortest = shorter;
						from -= size;
						again = size == 1;
					}
				}
			}
		}
		return shortest;
	}

	private static History without(History history, int from, int size) {
		List<Decision> kept = new ArrayList<>(history.decisions());
		kept.subList(from, Math.min(from + size, kept.size())).clear();
		return history.with(kept);
	}

	/**
	 * Halves numbers of a history and leaves out options, one after the other, as long as
	 * it breaks a rule.
	 */
	History lower(History failing) {
		History lowest = failing;
		for (int i = 0; i < failing.decisions().size(); i++) {
			History lower = lowest;
			while (lower != null) {
				lowest = lower;
				lower = lower(lowest, i);
			}
		}
		return lowest;
	}

	private @Nullable History lower(History history, int index) {
		for (Decision lower : history.decisions().get(index).lower()) {
			List<Decision> decisions = new ArrayList<>(history.decisions());
			decisions.set(index, lower);
			History lowered = history.with(decisions);
			if (run(lowered, false).violation() != null) {
				return lowered;
			}
		}
		return null;
	}

	/** Tell a history; one that breaks a rule is made as short and simple as possible. */
	String story(History history) {
		Outcome outcome = run(history, true);
		if (outcome.violation() == null) {
			return history + "\n\n" + outcome.story();
		}
		History shortest = lower(shrink(history));
		return shortest + "\n\n" + run(shortest, true).story();
	}

	private @Nullable History failing(History history) {
		Seed seeds = new Seed(history.seed());
		History tried = history;
		for (int i = 0; i < SEEDS; i++) {
			if (run(tried, false).violation() != null) {
				return tried;
			}
			tried = history.withSeed(seeds.nextLong());
		}
		return null;
	}

	@Override
	public void close() {
		this.lua.close();
	}

}
