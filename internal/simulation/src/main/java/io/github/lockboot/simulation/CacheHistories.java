package io.github.lockboot.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

import io.github.lockboot.simulation.Decision.Kind;
import io.github.lockboot.simulation.History.LockKind;

/** Histories of a cache, some of them with locks beside it. */
final class CacheHistories {

	/**
	 * Faults by which confirmed changes are lost, as docs/caching-consistency.md says.
	 */
	private static final List<Kind> HARMFUL = List.of(Kind.EVICT, Kind.EVICT, Kind.STEP, Kind.FAIL_OVER,
			Kind.RESTART_EMPTY, Kind.RESTART_EMPTY, Kind.RESTART_OLD);

	private CacheHistories() {
	}

	/** Draws a history. */
	static History of(long number) {
		Seed seed = new Seed(Seed.mix(number ^ 0xCAC4E));
		int jvms = (int) seed.between(2, 4);
		CacheUse use = new CacheUse((int) seed.between(1, 3), seed.between(2, 30) * 100, seed.between(3, 20) * 100,
				seed.isOneOf(3) ? seed.between(1, 20) * 100 : 0, seed.isOneOf(6) ? seed.between(5, 30) * 100 : 0,
				seed.isOneOf(5) ? seed.between(1, 6) * 50 : 0);
		boolean locks = seed.isOneOf(6);
		int silentJvm = seed.isOneOf(8) ? seed.nextInt(jvms) : -1;
		boolean transactions = seed.isOneOf(3);
		List<Decision> decisions = new ArrayList<>();
		long operations = seed.between(20, seed.isOneOf(4) ? 200 : 60);
		long lengthMillis = operations * seed.between(2, 80);
		for (long i = 0; i < operations; i++) {
			decisions.add((locks && seed.isOneOf(5)) ? History.acquisition(seed, jvms, 1, lengthMillis)
					: call(seed, jvms, use, lengthMillis, transactions));
		}
		long faults = seed.isOneOf(4) ? 0 : seed.between(1, 6);
		boolean harmful = seed.isOneOf(3);
		for (long i = 0; i < faults; i++) {
			List<Kind> kinds = (harmful && seed.isOneOf(2)) ? HARMFUL : History.HARMLESS;
			decisions.add(History.fault(seed, kinds.get(seed.nextInt(kinds.size())), jvms, use.keys(), lengthMillis));
		}
		decisions.sort(Comparator.comparingLong(Decision::atMillis));
		return new History(seed.nextLong(), jvms, silentJvm, 1, locks ? List.of(LockKind.EXCLUSIVE) : List.of(), 1000,
				0, use, decisions);
	}

	/**
	 * Draws one of few evicts of tags, after which a JVM may be behind for some time; the
	 * entries and copies live longer.
	 */
	static History tagged(long number) {
		History drawn = of(number);
		CacheUse use = Objects.requireNonNull(drawn.cache());
		CacheUse tagged = new CacheUse(3, use.ttlMillis() + 15_000, use.leaseMillis(), Math.max(500, use.localMillis()),
				0, 0);
		List<Decision> decisions = drawn.decisions()
			.stream()
			.map((decision) -> decision.later(6, switch (decision.kind()) {
				case EVICT_ENTRY -> Kind.READ;
				case PUT, CLEAR -> (decision.atMillis() % 3 == 0) ? Kind.EVICT_TAG : Kind.READ;
				default -> decision.kind();
			}))
			.toList();
		return new History(drawn.seed(), Math.max(3, drawn.jvms()), drawn.silentJvm(), 1, drawn.locks(), 1000, 0,
				tagged, decisions);
	}

	private static Decision call(Seed seed, int jvms, CacheUse use, long lengthMillis, boolean transactions) {
		long at = 20 + seed.nextLong(lengthMillis);
		int jvm = seed.nextInt(jvms);
		int key = seed.nextInt(use.keys());
		// neither a put nor a clear has a grace
		long kind = seed.nextLong((use.graceMillis() > 0) ? 88 : 100);
		if (kind < 70) {
			long load = seed.isOneOf(12) ? seed.between(300, 4000) : seed.isOneOf(2) ? seed.between(5, 100) : 1;
			long age = (transactions && seed.isOneOf(4)) ? seed.between(1, 1000) : 0;
			int options = (seed.isOneOf(12) ? Decision.FAILS : 0) | (seed.isOneOf(3) ? Decision.AT_END : 0);
			return new Decision(at, Kind.READ, jvm, key, load, age, options);
		}
		Kind change = (kind < 88) ? Kind.EVICT_ENTRY : (kind < 97) ? Kind.PUT : Kind.CLEAR;
		int options = (change == Kind.PUT && seed.isOneOf(2)) ? Decision.IF_NEWER : 0;
		return new Decision(at, change, jvm, key, 0, 0, options);
	}

}
