package io.github.lockboot.simulation.exhaustive;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.simulation.server.LuaMachine;

/**
 * Looks for the shortest history that breaks a rule, or for any in random walks.
 */
public final class Search {

	private static final int MOST_OUTCOMES = 200_000;

	private final Scope scope;

	private final Steps steps;

	private final Steps calmSteps;

	private final Fingerprint fingerprint;

	private final Ending ending;

	/** Create a search through a scope. */
	public Search(Scope scope, LuaMachine lua) {
		this(scope, lua, MOST_OUTCOMES);
	}

	Search(Scope scope, LuaMachine lua, int mostOutcomes) {
		Calls calls = new Calls(lua, mostOutcomes);
		this.scope = scope;
		this.steps = new Steps(scope, calls);
		this.calmSteps = new Steps(scope.calm(), calls);
		this.fingerprint = new Fingerprint(calls);
		this.ending = new Ending(scope, this.steps, calls);
	}

	/**
	 * What was found.
	 *
	 * @param states how many different states were seen
	 * @param depth the number of steps to the last of them
	 * @param complete whether these are all states of the scope
	 * @param violation the broken rule, {@code null} if none is
	 * @param story the steps that lead to it
	 */
	public record Result(long states, int depth, boolean complete, @Nullable String violation, List<String> story) {

		@Override
		public String toString() {
			return this.states + " states, depth " + this.depth + (this.complete ? ", all" : "")
					+ ((this.violation != null) ? ": " + this.violation + this.story : "");
		}

	}

	private record Node(@Nullable Node before, String story, State state, int depth) {

		List<String> path() {
			LinkedList<String> path = new LinkedList<>();
			for (Node node = this; node.before != null; node = node.before) {
				path.addFirst(node.story);
			}
			return path;
		}

	}

	/**
	 * Visit states in the order of their depth.
	 * @param most after how many states the search ends
	 * @param endings of how many states one is continued without faults until all have
	 * had the lock
	 */
	public Result breadthFirst(long most, int endings) {
		Set<Long> seen = new HashSet<>();
		Deque<Node> open = new ArrayDeque<>();
		open.add(new Node(null, "", this.steps.first(), 0));
		int depth = 0;
		while (!open.isEmpty()) {
			Node node = open.remove();
			depth = node.depth;
			for (Steps.Step step : this.steps.of(node.state)) {
				Node next = new Node(node, step.story(), node.state, node.depth + 1);
				try {
					State state = step.next().get();
					if (seen.add(this.fingerprint.of(state))) {
						open.add(new Node(node, step.story(), state, node.depth + 1));
						if (endings > 0 && seen.size() % endings == 0) {
							this.ending.check(state);
						}
					}
				}
				catch (Violation ex) {
					return new Result(seen.size(), depth + 1, false, ex.getMessage(), next.path());
				}
			}
			if (seen.size() >= most) {
				return new Result(seen.size(), depth, false, null, List.of());
			}
		}
		return new Result(seen.size(), depth, true, null, List.of());
	}

	/**
	 * Take steps at random, then continue without faults until all have had the lock.
	 * Each second walk has no faults but a fail-over: with faults there is hardly a
	 * queue.
	 * @param seed the same leads to the same walks
	 */
	public Result walks(long seed, int count, int length) {
		Set<Long> seen = new HashSet<>();
		for (int walk = 0; walk < count; walk++) {
			Random random = new Random(seed + walk);
			List<String> story = new ArrayList<>();
			Steps steps = (walk % 2 == 0) ? this.steps : this.calmSteps;
			State state = steps.first();
			try {
				for (int i = 0; i < length; i++) {
					List<Steps.Step> next = steps.of(state);
					if (next.isEmpty()) {
						break;
					}
					Steps.Step step = next.get(random.nextInt(next.size()));
					story.add(step.story());
					state = step.next().get();
					seen.add(this.fingerprint.of(state));
				}
				this.ending.check(state);
			}
			catch (Violation ex) {
				return new Result(seen.size(), story.size(), false, ex.getMessage(), story);
			}
		}
		return new Result(seen.size(), length, false, null, List.of());
	}

	@Override
	public String toString() {
		return this.scope.toString();
	}

}
