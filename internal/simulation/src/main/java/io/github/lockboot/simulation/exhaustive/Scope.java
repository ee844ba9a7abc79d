package io.github.lockboot.simulation.exhaustive;

import java.util.List;

/**
 * The bounds of a search.
 *
 * @param limits for each owner how many may hold the lock together with it, 1 for an
 * exclusive lock; the first owner is in one JVM, all others in a second one
 * @param faults how many packets are lost or doubled
 * @param crashes how many JVMs crash
 * @param failOvers how often a replica without the last write becomes the master
 * @param forces how often an operator releases the lock
 * @param repeats how often an owner repeats a request or renews a lease
 * @param ticks how many thirds of a lease pass
 * @param breaksAfterFailOver whether two holders after a fail-over are a violation
 */
public record Scope(List<Integer> limits, int faults, int crashes, int failOvers, int forces, int repeats, int ticks,
		boolean breaksAfterFailOver) {

	public Scope {
		limits = List.copyOf(limits);
	}

	/** Two or more owners with all faults that do not lose data. */
	public static Scope of(Integer... limits) {
		return new Scope(List.of(limits), 1, 1, 0, 1, 1, 5, false);
	}

	/** The same with a fail-over. */
	public Scope withFailOver(boolean breaks) {
		return new Scope(this.limits, this.faults, this.crashes, 1, this.forces, this.repeats, this.ticks, breaks);
	}

	/** No fault but a fail-over. */
	public Scope withFailOverOnly() {
		return new Scope(this.limits, 0, 0, 1, 0, this.repeats, this.ticks, true);
	}

	/** The same without faults but a fail-over, where each owner repeats more. */
	Scope calm() {
		return new Scope(this.limits, 0, 0, this.failOvers, 0, 3, this.ticks, this.breaksAfterFailOver);
	}

	/** Whether some want to share the lock with any number of others. */
	boolean isShared() {
		return this.limits.contains(Integer.MAX_VALUE);
	}

	String owner(int attempt) {
		return (jvm(attempt) == 0) ? "aaaaaaaaaaaaaaaa:" + (attempt + 1) : "bbbbbbbbbbbbbbbb:" + (attempt + 1);
	}

	int jvm(int attempt) {
		return (attempt == 0) ? 0 : 1;
	}

}
