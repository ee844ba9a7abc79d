package io.github.lockboot.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.lockboot.simulation.Decision.Kind;
import io.github.lockboot.simulation.History.LockKind;

/**
 * The bounds of a search.
 *
 * @param history the calls and the faults that may happen, each once, in any order
 * @param faults how many of the faults happen
 * @param late how often time passes while packets are under way
 */
public record Scope(String name, History history, int faults, int late) {

	private static final long LEASE_MILLIS = 30_000;

	private static final long WAIT_MILLIS = 120_000;

	/** Two faults and two times a late packet. */
	private static final int MOST = 2;

	/** Those of each build. */
	public static List<Scope> all() {
		return List.of(
				of("passing and forced release", LockKind.EXCLUSIVE, 0, 0, 0).calls(Decision.CANCELLED, 1)
					.with(0, Kind.FORCE),
				of("three JVMs", LockKind.FAIR, 0, 0, 1, 2).calls(Decision.CANCELLED, 1).with(1, Kind.INSPECT),
				of("two permits", LockKind.SEMAPHORE, 0, 0, 1, 1).calls(Decision.CANCELLED, 0),
				of("a writer that shares, and readers", LockKind.SHARED, Decision.OTHER | Decision.DOWNGRADED, 0)
					.calls(0, 0, 1)
					.calls(Decision.OTHER, 1),
				of("retention", LockKind.EXCLUSIVE, Decision.RETAINED, 0, 0).calls(0, 1).with(1, Kind.FORCE),
				of("a minimum hold time", LockKind.EXCLUSIVE, Decision.KEPT, 0).calls(0, 1)
					.calls(Decision.CANCELLED, 1));
	}

	/**
	 * Calls with options, each by a JVM, and all faults that lose no data but those of an
	 * operator.
	 */
	private static Scope of(String name, LockKind kind, int options, Integer... callers) {
		int jvms = 1 + Stream.of(callers).mapToInt(Integer::intValue).max().orElse(0);
		Scope scope = new Scope(name, new History(1, Math.max(2, jvms), -1, 1, List.of(kind), LEASE_MILLIS, List.of()),
				MOST, MOST)
			.calls(options, callers);
		for (int jvm = 0; jvm < scope.history.jvms(); jvm++) {
			scope = scope.with(jvm, Kind.CUT, Kind.CRASH, Kind.PAUSE);
		}
		return scope.with(1, Kind.DOUBLE);
	}

	private Scope calls(int options, Integer... callers) {
		List<Decision> decisions = new ArrayList<>(this.history.decisions());
		for (int jvm : callers) {
			decisions.add(new Decision(decisions.size(), Kind.ACQUIRE, jvm, 0, WAIT_MILLIS, 0, options));
		}
		return new Scope(this.name, this.history.with(decisions), this.faults, this.late);
	}

	private Scope with(int jvm, Kind... kinds) {
		List<Decision> decisions = new ArrayList<>(this.history.decisions());
		for (Kind kind : kinds) {
			switch (kind) {
				case CUT -> {
					// the connection, whose requests get lost or arrive late, and the
					// subscription
					decisions.add(new Decision(decisions.size(), kind, jvm, 0, 0, 0, 0));
					decisions.add(new Decision(decisions.size(), kind, jvm, 0, 0, 0, 1));
					decisions.add(new Decision(decisions.size(), kind, jvm, 0, 1, 0, 0));
				}
				case PAUSE -> decisions.add(new Decision(decisions.size(), kind, jvm, 0, LEASE_MILLIS + 1000, 0, 0));
				case DOUBLE -> decisions.add(new Decision(decisions.size(), kind, jvm, 0, 1, 0, 0));
				default -> decisions.add(new Decision(decisions.size(), kind, jvm, 0, 0, 0, 0));
			}
		}
		return new Scope(this.name, this.history.with(decisions), this.faults, this.late);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
