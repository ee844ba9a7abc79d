package io.github.lockboot.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.simulation.Decision.Kind;

/**
 * All that decides what happens in a world.
 *
 * @param seed of the network, the threads and the pauses
 * @param silentJvm a JVM whose user may neither publish nor subscribe; -1 for none
 * @param servers one, or three or five for Redlock
 * @param drift by how many millionths the clocks of the servers are faster than those of
 * the JVMs
 * @param cache how the JVMs use a cache, if they do
 * @param decisions in the order of their times
 */
record History(long seed, int jvms, int silentJvm, int servers, List<LockKind> locks, long leaseMillis, long drift,
		@Nullable CacheUse cache, List<Decision> decisions) {

	/** Faults by which no lock is lost. */
	static final List<Kind> HARMLESS = List.of(Kind.CRASH, Kind.CLOSE, Kind.PAUSE, Kind.PAUSE, Kind.PAUSE_SERVER,
			Kind.CUT, Kind.CUT, Kind.CUT, Kind.HALF_OPEN, Kind.HALF_OPEN, Kind.SLOW, Kind.DOUBLE, Kind.FLUSH,
			Kind.READ_ONLY, Kind.OUT_OF_MEMORY);

	/** Faults by which locks are lost, as docs/safety.md says. */
	private static final List<Kind> HARMFUL = List.of(Kind.FORCE, Kind.FORCE, Kind.EVICT, Kind.STEP, Kind.STEP,
			Kind.FAIL_OVER, Kind.FAIL_OVER, Kind.RESTART_EMPTY, Kind.RESTART_OLD);

	/** As docs/safety.md allows. */
	private static final long MOST_DRIFT = 9_000;

	/** A history without a cache, with equal clocks. */
	History(long seed, int jvms, int silentJvm, int servers, List<LockKind> locks, long leaseMillis,
			List<Decision> decisions) {
		this(seed, jvms, silentJvm, servers, locks, leaseMillis, 0, null, decisions);
	}

	/** How many may hold a lock. */
	enum LockKind {

		EXCLUSIVE, FAIR, SHARED, SEMAPHORE

	}

	/** The faults of a history with one lock. */
	private enum Sort {

		CALM(List.of(), 0, 100, 0),

		/** A user may not use channels. */
		SILENT(List.of(), 0, 100, 0),

		/** The lock is lost, which its holder has to learn. */
		TAKEN(List.of(Kind.FORCE), 6, 100, Decision.KEPT | Decision.DOWNGRADED),

		EVICTED(List.of(Kind.EVICT), 6, 100, Decision.KEPT | Decision.DOWNGRADED),

		/** Packets are lost, and a lease lasts for longer than that matters. */
		LOST(List.of(Kind.CUT), 8, 300, 0),

		/** All JVMs always compete. */
		SHARES(List.of(), 0, 1, 0),

		/** All takes about as long as a lease. */
		LATE(List.of(Kind.PAUSE, Kind.PAUSE, Kind.PAUSE_SERVER, Kind.SLOW, Kind.CUT, Kind.CUT), 12, 150, 0),

		/** Clocks stand still for longer than most leases last. */
		SUSPENDED(List.of(Kind.SUSPEND), 3, 300, 0),

		MEMBERS_TAKEN(List.of(Kind.FORCE), 6, 100, Decision.KEPT | Decision.DOWNGRADED),

		/** Packets of some masters of Redlock are lost. */
		MEMBERS_LOST(List.of(Kind.CUT), 8, 300, 0),

		/** More than a minority may be late for longer than a lease. */
		MEMBERS_LATE(List.of(Kind.PAUSE, Kind.PAUSE_SERVER, Kind.PAUSE_SERVER, Kind.CUT, Kind.HALF_OPEN), 12, 150, 0);

		private final List<Kind> faults;

		private final int mostFaults;

		private final long mostMillis;

		/** What no call wants. */
		private final int without;

		int servers() {
			return name().startsWith("MEMBERS") ? 3 : 1;
		}

		Sort(List<Kind> faults, int mostFaults, long mostMillis, int without) {
			this.faults = faults;
			this.mostFaults = mostFaults;
			this.mostMillis = mostMillis;
			this.without = without;
		}

	}

	/** Draws a history. */
	static History of(long number) {
		Seed seed = new Seed(Seed.mix(number));
		int jvms = (int) seed.between(2, 4);
		List<LockKind> locks = new ArrayList<>();
		for (long i = seed.between(1, 3); i > 0; i--) {
			locks.add(LockKind.values()[seed.nextInt(LockKind.values().length)]);
		}
		int servers = seed.isOneOf(6) ? (number % 3 == 0) ? 5 : 3 : 1;
		if (servers > 1) { // which has no semaphores
			locks.replaceAll((kind) -> (kind != LockKind.SEMAPHORE) ? kind : LockKind.EXCLUSIVE);
		}
		int silentJvm = seed.isOneOf(6) ? seed.nextInt(jvms) : -1;
		List<Decision> decisions = new ArrayList<>();
		long operations = seed.between(20, seed.isOneOf(4) ? 200 : 60);
		long lengthMillis = operations * seed.between(5, 100);
		for (long i = 0; i < operations; i++) {
			decisions.add(acquisition(seed, jvms, locks.size(), lengthMillis));
		}
		long faults = seed.isOneOf(5) ? 0 : seed.between(1, 8);
		boolean harmful = seed.isOneOf(3);
		for (long i = 0; i < faults; i++) {
			List<Kind> kinds = (harmful && seed.isOneOf(2)) ? HARMFUL : HARMLESS;
			decisions.add(fault(seed, kinds.get(seed.nextInt(kinds.size())), jvms, locks.size(), lengthMillis));
		}
		Seed rare = new Seed(Seed.mix(~number));
		if (rare.of(1).isOneOf(4)) {
			decisions.replaceAll((decision) -> decision.and(Decision.LIMITED));
		}
		addInspections(rare.of(2), decisions, jvms, locks.size(), lengthMillis);
		addCampaigns(rare.of(3), decisions, jvms, lengthMillis);
		addReplacements(rare.of(4), decisions, jvms, lengthMillis);
		addRareFaults(rare, decisions, jvms, servers, lengthMillis);
		Seed ends = rare.of(5);
		if (ends.isOneOf(2)) {
			decisions.replaceAll((decision) -> ends.isOneOf(12) ? decision.endedBy(Decision.INTERRUPTED)
					: ends.isOneOf(16) ? decision.endedBy(Decision.DROPPED) : decision);
		}
		Seed times = rare.of(6);
		decisions.replaceAll((decision) -> times.isOneOf(16) ? decision.and(Decision.SHORT_LEASE)
				: times.isOneOf(16) ? decision.and(Decision.MAXIMUM) : decision);
		Seed cuts = rare.of(8);
		decisions.replaceAll((decision) -> cuts.isOneOf(2) ? decision.and(Kind.CUT, Decision.AT_CALL) : decision);
		decisions.sort(Comparator.comparingLong(Decision::atMillis));
		return new History(seed.nextLong(), jvms, silentJvm, servers, List.copyOf(locks), seed.between(5, 30) * 100,
				drift(rare.of(7)), null, decisions);
	}

	private static long drift(Seed seed) {
		return seed.isOneOf(3) ? 0 : seed.between(-MOST_DRIFT, MOST_DRIFT);
	}

	/**
	 * Draws one without faults, of one lock that many callers hold for a minimum time.
	 */
	static History kept(long number) {
		Seed seed = new Seed(Seed.mix(number));
		int jvms = (int) seed.between(2, 3);
		long operations = seed.between(20, 60);
		long lengthMillis = operations * seed.between(5, 200);
		List<Decision> decisions = new ArrayList<>();
		for (long i = 0; i < operations; i++) {
			decisions.add(acquisition(seed, jvms, 1, lengthMillis).kept(seed.isOneOf(3)));
		}
		decisions.sort(Comparator.comparingLong(Decision::atMillis));
		LockKind kind = seed.isOneOf(4) ? LockKind.FAIR : LockKind.EXCLUSIVE;
		return new History(seed.nextLong(), jvms, -1, 1, List.of(kind), seed.between(5, 30) * 100, decisions);
	}

	/**
	 * Draws one of one lock with faults of one sort, or with none, so that the rules have
	 * tight bounds.
	 */
	static History single(long number) {
		Seed seed = new Seed(Seed.mix(number));
		Sort sort = Sort.values()[(int) (number % Sort.values().length)];
		int jvms = (int) seed.between(2, 3);
		boolean lost = sort == Sort.LOST || sort == Sort.MEMBERS_LOST;
		LockKind kind = LockKind.values()[Math.max(0,
				seed.nextInt((sort == Sort.EVICTED || sort.servers() > 1) ? 5 : 6) - 2)];
		long operations = seed.between(15, 40);
		long lengthMillis = operations * seed.between(10, sort.mostMillis);
		List<Decision> decisions = new ArrayList<>();
		boolean oneJvm = seed.isOneOf(3);
		boolean late = sort == Sort.LATE || sort == Sort.MEMBERS_LATE || sort == Sort.SUSPENDED;
		boolean cut = sort == Sort.LOST && seed.isOneOf(3);
		long lease = cut ? seed.between(15, 30) * 100 : (sort == Sort.MEMBERS_LATE) ? seed.between(5, 9) * 100
				: lost ? 30_000 : seed.between(5, seed.isOneOf(2) ? 15 : 60) * 100;
		for (long i = 0; i < operations; i++) {
			Decision call = acquisition(seed, oneJvm && !seed.isOneOf(4) ? 1 : jvms, 1, lengthMillis);
			call = seed.isOneOf(4) ? call.and(Decision.SHORT_LEASE)
					: seed.isOneOf(late ? 3 : 6) ? call.and(Decision.MAXIMUM).longer(seed.between(1, 900)) : call;
			call = (late || cut) && seed.isOneOf(4) ? call.longer(seed.between(1, 2 * lease)) : call;
			call = seed.isOneOf(12) ? call.endedBy(Decision.INTERRUPTED) : call;
			call = seed.isOneOf(6) ? call.and(Decision.FIXED_LEASE).longer(seed.between(500, 2000)) : call;
			decisions.add(seed.isOneOf(3) ? call.and(Decision.RETAINED) : call);
		}
		long atMillis = 0;
		for (long i = sort.faults.isEmpty() ? 0 : seed.between(1, sort.mostFaults); i > 0; i--) {
			Decision fault = fault(seed, sort.faults.get(seed.nextInt(sort.faults.size())), jvms,
					(sort == Sort.MEMBERS_TAKEN) ? 1 : sort.servers(), lengthMillis);
			// some come soon after another
			atMillis = seed.isOneOf(2) ? atMillis + seed.nextLong(lost ? 100 : lease / 2) : fault.atMillis();
			fault = seed.isOneOf(3) ? fault : fault.atCall(seed.nextInt(3) * Decision.AT_RENEWAL);
			decisions.add(fault.at(atMillis));
			if (fault.kind() == Kind.PAUSE_SERVER && sort.servers() > 1) {
				Decision other = fault(seed, fault.kind(), jvms, 1, lengthMillis);
				decisions.add(other.at(atMillis + seed.nextLong(lease / 4)));
			}
		}
		if (sort == Sort.SHARES) {
			decisions.clear();
			for (long i = jvms * seed.between(1, 3) - 1; i >= 0; i--) {
				int options = (kind == LockKind.SHARED) ? Decision.OTHER : 0;
				decisions.add(new Decision(i, Kind.COMPETE, (int) (i % jvms), 0, 2000, 2, options));
			}
		}
		decisions
			.replaceAll((decision) -> (decision.kind() == Kind.ACQUIRE) ? decision.without(sort.without) : decision);
		decisions.sort(Comparator.comparingLong(Decision::atMillis));
		return new History(seed.nextLong(), jvms, (sort == Sort.SILENT) ? seed.nextInt(jvms) : -1, sort.servers(),
				List.of(kind), lease, drift(seed), null, decisions);
	}

	/** Whether the only faults are such. */
	boolean isOnlyOf(Kind... faults) {
		return this.silentJvm < 0 && this.decisions.stream()
			.allMatch((decision) -> decision.isCall() || List.of(faults).contains(decision.kind()));
	}

	/** Has numbers of its own, so that a history without these faults stays as it was. */
	private static void addRareFaults(Seed seed, List<Decision> decisions, int jvms, int servers, long lengthMillis) {
		for (Kind kind : List.of(Kind.UNREPLICATED, Kind.REVOKE, Kind.SUSPEND)) {
			// a majority of masters needs no replicas
			long faults = seed.isOneOf(8) ? seed.between(1, 2) : 0;
			for (long i = 0; i < faults && (servers == 1 || kind != Kind.UNREPLICATED); i++) {
				decisions.add(fault(seed, kind, jvms, 1, lengthMillis));
			}
		}
	}

	private static void addInspections(Seed seed, List<Decision> decisions, int jvms, int locks, long lengthMillis) {
		for (long i = seed.between(0, 6); i > 0; i--) {
			decisions.add(new Decision(seed.nextLong(lengthMillis), Kind.INSPECT, seed.nextInt(jvms),
					seed.nextInt(locks), 0, 0, 0));
		}
	}

	/** In some histories each JVM wants to lead, once or twice. */
	private static void addCampaigns(Seed seed, List<Decision> decisions, int jvms, long lengthMillis) {
		long campaigns = seed.isOneOf(4) ? seed.between(jvms, 2L * jvms) : 0;
		for (int i = 0; i < campaigns; i++) {
			long millis = seed.isOneOf(3) ? 0 : seed.between(1, seed.isOneOf(2) ? 500 : 4000);
			decisions.add(new Decision(seed.nextLong(lengthMillis), Kind.CAMPAIGN, i % jvms, 0, millis, 0, 0));
		}
	}

	/** In some histories new JVMs with other rights take the place of JVMs. */
	private static void addReplacements(Seed seed, List<Decision> decisions, int jvms, long lengthMillis) {
		for (long i = seed.isOneOf(6) ? seed.between(1, jvms) : 0; i > 0; i--) {
			decisions.add(new Decision(seed.nextLong(lengthMillis), Kind.REPLACE, seed.nextInt(jvms), 0, 0, 0,
					seed.nextInt(8)));
		}
	}

	/** Whether it consists of calls only, and all users have all rights. */
	boolean isFaultless() {
		return this.silentJvm < 0 && hasOnlyCalls();
	}

	boolean hasOnlyCalls() {
		return this.decisions.stream().allMatch(Decision::isCall);
	}

	/** Whether JVMs wait for a replica that acknowledges each lock. */
	boolean isReplicated() {
		return this.decisions.stream().anyMatch((decision) -> decision.kind() == Kind.UNREPLICATED);
	}

	static Decision acquisition(Seed seed, int jvms, int locks, long lengthMillis) {
		long wait = seed.isOneOf(5) ? 0 : seed.isOneOf(2) ? seed.between(1, 300) : seed.between(300, 8000);
		long hold = seed.isOneOf(3) ? 0 : seed.isOneOf(8) ? seed.between(500, 4000) : seed.between(1, 80);
		int options = (seed.isOneOf(2) ? Decision.CONFIRMED : 0) | (seed.isOneOf(3) ? Decision.OTHER : 0)
				| (seed.isOneOf(12) ? Decision.CANCELLED : 0) | (seed.isOneOf(8) ? Decision.RETAINED : 0)
				| (seed.isOneOf(12) ? Decision.FIXED_LEASE : 0) | (seed.isOneOf(10) ? Decision.ALL_LOCKS : 0)
				| (seed.isOneOf(16) ? Decision.KEPT : 0) | (seed.isOneOf(6) ? Decision.DOWNGRADED : 0);
		return new Decision(seed.nextLong(lengthMillis), Kind.ACQUIRE, seed.nextInt(jvms), seed.nextInt(locks), wait,
				hold, options);
	}

	static Decision fault(Seed seed, Kind kind, int jvms, int locks, long lengthMillis) {
		long at = seed.nextLong(lengthMillis);
		int jvm = seed.nextInt(jvms);
		int lock = seed.nextInt(locks);
		int option = seed.nextInt(2);
		return switch (kind) {
			case CUT, HALF_OPEN -> new Decision(at, kind, jvm, lock, seed.nextInt(2), 0, option);
			case STEP -> new Decision(at, kind, jvm, lock, seed.between(-1500, 3000), 0, 0);
			case SUSPEND -> new Decision(at, kind, jvm, lock, seed.between(1100, 6000), 0, 0);
			case FAIL_OVER -> new Decision(at, kind, jvm, lock, seed.between(0, 200), seed.between(0, 1500), 0);
			case RESTART_OLD -> new Decision(at, kind, jvm, lock, seed.between(1, 2000), 0, 0);
			case PAUSE, PAUSE_SERVER -> new Decision(at, kind, jvm, lock,
					seed.isOneOf(3) ? seed.between(500, 5000) : seed.between(1, 500), 0, 0);
			default -> new Decision(at, kind, jvm, lock, seed.between(10, 1500), 0, 0);
		};
	}

	static String name(int lock) {
		return "lock" + lock;
	}

	/** Return the names of all locks. */
	List<String> names() {
		return IntStream.range(0, this.locks.size()).mapToObj(History::name).toList();
	}

	History with(List<Decision> decisions) {
		return new History(this.seed, this.jvms, this.silentJvm, this.servers, this.locks, this.leaseMillis, this.drift,
				this.cache, decisions);
	}

	History withSeed(long seed) {
		return new History(seed, this.jvms, this.silentJvm, this.servers, this.locks, this.leaseMillis, this.drift,
				this.cache, this.decisions);
	}

	/** The decisions in lines. */
	@Override
	public String toString() {
		return this.jvms + " JVMs, " + ((this.servers > 1) ? this.servers + " masters, " : "") + "locks " + this.locks
				+ ", lease " + this.leaseMillis + " ms" + ((this.cache != null) ? ", " + this.cache : "")
				+ ((this.silentJvm >= 0) ? ", J" + this.silentJvm + " may not use channels" : "") + "\n"
				+ this.decisions.stream().map(Decision::toString).collect(Collectors.joining("\n"));
	}

}
