package io.github.lockboot.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.simulation.Scheduler.Kind;
import io.github.lockboot.simulation.server.LuaMachine;

/**
 * Looks for the shortest history that breaks a rule, or for any in random walks. In each
 * state any packet may arrive next, any timer that is due may fire, and any decision of
 * the history may happen that has not happened yet. A state is reached by its steps, from
 * the beginning.
 */
public final class Search {

	private static final int[] WEIGHTS = { 1, 4, 20 };

	private final Scope scope;

	private final LuaMachine lua;

	private final Fingerprint fingerprint = new Fingerprint();

	/** Create a search through a scope. */
	public Search(Scope scope, LuaMachine lua) {
		this.scope = scope;
		this.lua = lua;
	}

	/**
	 * What was found.
	 *
	 * @param states how many different states were seen
	 * @param depth the number of steps to the last of them
	 * @param complete whether these are all states of the scope
	 * @param violation the broken rule, {@code null} if none is
	 * @param story what has led to it
	 */
	public record Result(long states, int depth, boolean complete, @Nullable String violation, String story) {

		@Override
		public String toString() {
			return this.states + " states, depth " + this.depth + (this.complete ? ", all" : "")
					+ ((this.violation != null) ? ": " + this.violation + "\n" + this.story : "");
		}

	}

	private record Node(@Nullable Node before, int choice, int depth) {

		List<Integer> path() {
			LinkedList<Integer> path = new LinkedList<>();
			for (Node node = this; node.before != null; node = node.before) {
				path.addFirst(node.choice);
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
		Deque<Node> open = new ArrayDeque<>(List.of(new Node(null, 0, 0)));
		int depth = 0;
		while (!open.isEmpty()) {
			Node node = open.remove();
			depth = node.depth;
			List<Integer> path = node.path();
			Trial trial = replay(path, false);
			int choices = trial.choices().size();
			for (int choice = 0; choice < choices; choice++) {
				trial = (choice > 0) ? replay(path, false) : trial;
				Node next = new Node(node, choice, depth + 1);
				boolean fine = trial.take(choice) == null;
				if (fine && seen.add(this.fingerprint.of(trial.world, trial.rest()))) {
					open.add(next);
					fine = endings == 0 || seen.size() % endings != 0 || trial.end() == null;
				}
				if (!fine) {
					return broken(seen.size(), next.path());
				}
			}
			if (seen.size() >= most) {
				return new Result(seen.size(), depth, false, null, "");
			}
		}
		return new Result(seen.size(), depth, true, null, "");
	}

	/**
	 * Take steps at random, then continue without faults until all have had the lock.
	 * Each second walk has no faults: with faults there is hardly a queue. How likely
	 * users, faults and time are differs between walks, so that some holders keep the
	 * lock for many leases.
	 * @param seed the same leads to the same walks
	 */
	public Result walks(long seed, int count, int length) {
		Set<Long> seen = new HashSet<>();
		for (int walk = 0; walk < count; walk++) {
			Random random = new Random(seed + walk);
			List<Integer> path = new ArrayList<>();
			Trial trial = new Trial(this.scope, this.lua, false);
			int[] weights = random.ints(Chance.values().length, 0, WEIGHTS.length)
				.map((index) -> WEIGHTS[index])
				.toArray();
			weights[Chance.FAULT.ordinal()] *= walk % 2;
			weights[Chance.LATE.ordinal()] *= walk % 2;
			String violation = null;
			for (int i = 0; i < length && violation == null; i++) {
				List<Choice> choices = trial.choices();
				if (choices.isEmpty()) {
					break;
				}
				path.add(drawn(choices, weights, random));
				violation = trial.take(path.get(i));
				seen.add(this.fingerprint.of(trial.world, trial.rest()));
			}
			if (violation != null || trial.end() != null) {
				return broken(seen.size(), path);
			}
		}
		return new Result(seen.size(), length, false, null, "");
	}

	private static int drawn(List<Choice> choices, int[] weights, Random random) {
		int[] each = choices.stream().mapToInt((choice) -> weights[choice.chance().ordinal()]).toArray();
		int sum = IntStream.of(each).sum();
		if (sum == 0) {
			return random.nextInt(each.length);
		}
		int drawn = random.nextInt(sum);
		int index = 0;
		while (drawn >= each[index]) {
			drawn -= each[index++];
		}
		return index;
	}

	private Trial replay(List<Integer> path, boolean tells) {
		Trial trial = new Trial(this.scope, this.lua, tells);
		path.forEach(trial::take);
		return trial;
	}

	private Result broken(long states, List<Integer> path) {
		Trial trial = replay(path, true);
		return new Result(states, path.size(), false, String.valueOf(trial.end()), trial.world.story());
	}

	/** What a walk makes more or less likely. */
	private enum Chance {

		CALL, FAULT, STEP, USER, TIME, LATE

	}

	private record Choice(Chance chance, Runnable step) {

	}

	/** A world in a state, of which all steps to come can be chosen. */
	private static final class Trial {

		private final World world;

		private final Scheduler scheduler;

		/** What may still happen. */
		private final List<Decision> decisions;

		private int faults;

		private int late;

		Trial(Scope scope, LuaMachine lua, boolean tells) {
			this.world = World.searched(scope.history(), lua, tells);
			this.scheduler = this.world.scheduler();
			this.decisions = new ArrayList<>(scope.history().decisions());
			this.faults = scope.faults();
			this.late = scope.late();
		}

		List<Object> rest() {
			return List.of(this.decisions, this.faults, this.late);
		}

		/** Return what may come next. */
		List<Choice> choices() {
			List<Choice> choices = new ArrayList<>();
			Set<Decision> others = new HashSet<>();
			for (Decision decision : this.decisions) {
				// which of two equal decisions happens first makes no difference
				if (others.add(decision.at(0)) && (decision.isCall() || this.faults > 0)
						&& this.world.mayHappen(decision)) {
					choices.add(new Choice(decision.isCall() ? Chance.CALL : Chance.FAULT, () -> happen(decision)));
				}
			}
			List<Scheduler.Step> steps = this.scheduler.enabled();
			steps.forEach((step) -> choices.add(new Choice((step.kind() == Kind.USER) ? Chance.USER : Chance.STEP,
					() -> this.scheduler.run(step))));
			long nextNanos = this.scheduler.nextNanos();
			boolean due = steps.stream().anyMatch((step) -> step.kind() == Kind.TIMER);
			boolean underWay = steps.stream().anyMatch((step) -> step.kind() == Kind.PACKET);
			if (nextNanos > this.scheduler.nowNanos() && !due && (!underWay || this.late > 0)) {
				choices.add(new Choice(underWay ? Chance.LATE : Chance.TIME, () -> pass(nextNanos, underWay)));
			}
			return choices;
		}

		/** Take a step, and return the broken rule, if one is. */
		@Nullable String take(int choice) {
			return this.world.judge(choices().get(choice).step());
		}

		/** Continue without faults until the end. */
		@Nullable String end() {
			return this.world.judge(this.world::end);
		}

		private void happen(Decision decision) {
			this.decisions.remove(decision);
			this.faults -= decision.isCall() ? 0 : 1;
			this.world.happen(decision);
			this.scheduler.run(null);
		}

		private void pass(long nanos, boolean underWay) {
			if (underWay) {
				this.late--;
				this.world.delayed(nanos - this.scheduler.nowNanos());
			}
			this.scheduler.pass(nanos);
			this.scheduler.run(null);
		}

	}

	@Override
	public String toString() {
		return this.scope.toString();
	}

}
