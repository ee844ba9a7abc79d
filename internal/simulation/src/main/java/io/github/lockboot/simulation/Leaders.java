package io.github.lockboot.simulation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.leader.LeaderElected;
import io.github.lockboot.simulation.Decision.Kind;
import io.github.lockboot.simulation.Rules.Holder;
import io.github.lockboot.simulation.Rules.Violation;

/**
 * The elections of one role: who leads, and what has to be true of it after each step.
 */
final class Leaders {

	private static final String ROLE = "role";

	static final String LOCK = "leader:" + ROLE;

	/** For how long nobody may lead after a clean stop. */
	private static final long HAND_OVER_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** For how long a dead candidate may be the next owner, until others ask. */
	private static final long CLAIM_NANOS = TimeUnit.SECONDS.toNanos(4);

	private final World world;

	private final Rules rules;

	private final long leaseNanos;

	private final boolean redlock;

	private final Map<Jvm, Candidate> candidates = new LinkedHashMap<>();

	private final Map<Candidate, Holder> terms = new LinkedHashMap<>();

	/** Whether there was no fault yet by which candidates wait longer. */
	private boolean calm;

	/** Since when a candidate has to lead. */
	private long awaitedNanos;

	private boolean ended;

	Leaders(World world, History history, Rules rules) {
		this.world = world;
		this.rules = rules;
		this.leaseNanos = TimeUnit.MILLISECONDS.toNanos(history.leaseMillis());
		this.redlock = history.servers() > 1;
		// others poll
		this.calm = history.silentJvm() < 0 && !this.redlock;
	}

	private long now() {
		return this.world.scheduler().nowNanos();
	}

	// ---- what happens

	/** Lets a JVM be a candidate, for a time or until the end. */
	void campaign(Jvm jvm, long millis) {
		this.world.scheduler().after(jvm.machine(), 0, () -> {
			if (jvm.isGone()) {
				return;
			}
			this.world.note(() -> jvm.name() + " is a candidate");
			awaited(now());
			this.candidates.computeIfAbsent(jvm, (absent) -> new Candidate(this.world, jvm, ROLE, this::published))
				.start();
			if (millis > 0) {
				this.world.scheduler().after(jvm.machine(), TimeUnit.MILLISECONDS.toNanos(millis), () -> resign(jvm));
			}
		});
	}

	/** Lets a JVM be no candidate any more. */
	void resign(Jvm jvm) {
		Candidate candidate = this.candidates.get(jvm);
		if (candidate != null && candidate.isRunning()) {
			this.world.note(() -> jvm.name() + " resigns");
			awaited(now());
			candidate.stop();
			if (candidate.isLeader()) {
				this.world.fail(jvm.name() + " leads although it has resigned");
			}
		}
	}

	void resignAll() {
		this.candidates.keySet().forEach(this::resign);
	}

	/** Something happens to a JVM, or to others. */
	void happens(Decision decision, Jvm jvm) {
		if (decision.kind() == Kind.CRASH) {
			Candidate candidate = this.candidates.get(jvm);
			boolean leads = candidate != null && candidate.isLeader();
			awaited(now() + (leads ? this.leaseNanos : CLAIM_NANOS));
		}
		else if (!decision.isCall() && decision.kind() != Kind.CLOSE) {
			this.calm = false;
		}
	}

	private void awaited(long sinceNanos) {
		this.awaitedNanos = Math.max(this.awaitedNanos, sinceNanos);
	}

	/** An election publishes an event, on its thread. */
	private void published(Candidate candidate, Object event) {
		if (this.ended || candidate.jvm().isGone()) {
			return;
		}
		try {
			if (event instanceof LeaderElected elected) {
				elected(candidate, elected.leadership().fencingToken());
			}
			else {
				revoked(candidate);
			}
		}
		catch (RuntimeException ex) { // which the election would log
			this.world.fail(String.valueOf(ex.getMessage()));
		}
	}

	private void elected(Candidate candidate, long token) {
		this.world.trace(token);
		this.world.note(() -> candidate + " leads with token " + token);
		Holder term = new Holder(candidate.jvm(), candidate + " (leader)", candidate.handle(), 1, now());
		this.terms.put(candidate, term);
		this.rules.begins(term, now());
	}

	private void revoked(Candidate candidate) {
		this.world.trace(1);
		this.world.note(() -> candidate + " does not lead any more");
		Holder term = this.terms.remove(candidate);
		if (term == null || candidate.isLeader()) {
			throw new Violation(candidate + " is told that it does not lead any more, but it leads");
		}
		this.rules.ends(term, now());
	}

	// ---- what has to be true

	/** Checks who leads after a step. */
	void check() {
		if (this.candidates.isEmpty()) {
			return;
		}
		Candidate leader = null;
		boolean awaited = false;
		for (Candidate candidate : this.candidates.values()) {
			awaited |= candidate.isRunning();
			if (candidate.isLeader()) {
				checkLeader(candidate, leader);
				leader = candidate;
			}
		}
		if (leader != null || !awaited) {
			awaited(now());
		}
		else if (this.calm && now() - this.awaitedNanos > HAND_OVER_NANOS) {
			throw new Violation("nobody leads, although there is a candidate, "
					+ (now() - this.awaitedNanos) / 1_000_000 + " ms after the last leader could");
		}
	}

	/** The lease of a leader runs in Redis, too, and so no other can have it. */
	private void checkLeader(Candidate candidate, @Nullable Candidate other) {
		if (candidate.jvm().isGone()) {
			throw new Violation(candidate + " leads although it is closed");
		}
		if (this.rules.mayBeLost(now())) {
			return;
		}
		if (other != null) {
			throw new Violation("two leaders: " + other + " and " + candidate);
		}
		String owner = this.redlock ? null : this.world.value("lock:{" + LOCK + "}");
		if (!this.redlock && (owner == null || !owner.startsWith(candidate.jvm().store().instance() + ":"))) {
			throw new Violation(candidate + " leads, but the owner in Redis is " + owner);
		}
	}

	/** Checks that a candidate leads, long after the last fault. */
	void checkElected() {
		if (this.candidates.values().stream().anyMatch(Candidate::isRunning)
				&& this.candidates.values().stream().noneMatch(Candidate::isLeader)) {
			throw new Violation("nobody leads long after the last fault, although there is a candidate");
		}
	}

	/** Ends all threads. */
	void end() {
		this.ended = true;
		this.candidates.values().forEach(Candidate::stop);
	}

}
