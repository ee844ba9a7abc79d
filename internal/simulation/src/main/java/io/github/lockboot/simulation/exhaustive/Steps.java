package io.github.lockboot.simulation.exhaustive;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.redis.ShippedScripts;
import io.github.lockboot.simulation.exhaustive.Attempt.Phase;
import io.github.lockboot.simulation.exhaustive.Packet.Kind;
import io.github.lockboot.simulation.server.RedisError;
import io.github.lockboot.simulation.server.SimulatedRedis.Snapshot;

/**
 * What can happen next in a state. Packets arrive in any order. Each attempt requests the
 * lock once, repeats that, holds and renews it, and releases it; a result that comes too
 * late is released.
 */
final class Steps {

	private static final List<Object> FORCE = List.of(ShippedScripts.CHANNELS);

	private final Scope scope;

	private final Calls calls;

	Steps(Scope scope, Calls calls) {
		this.scope = scope;
		this.calls = calls;
	}

	State first() {
		List<Attempt> attempts = Collections.nCopies(this.scope.limits().size(),
				new Attempt(Phase.NEW, 0, 0, 0, this.scope.repeats(), false, false));
		return new State(Snapshot.EMPTY, Snapshot.EMPTY, 0, attempts, List.of(), -1, 0, this.scope.faults(),
				this.scope.crashes(), this.scope.failOvers(), this.scope.forces());
	}

	/** A step: what happens, and computes the state after it. */
	record Step(String story, Supplier<State> next) {

	}

	List<Step> of(State state) {
		List<Step> steps = new ArrayList<>();
		for (int i = 0; i < state.attempts().size(); i++) {
			if (this.scope.jvm(i) != state.crashed()) {
				addAttempt(steps, state, i);
			}
		}
		for (Packet packet : List.copyOf(new LinkedHashSet<>(state.packets()))) {
			String story = story(packet);
			steps.add(new Step(story + " arrives", () -> delivered(state.minus(packet), packet)));
			if (isBatched(packet)) {
				steps.add(new Step(story + " arrives in a batch", () -> runInBatch(state, packet)));
			}
			if (state.faults() > 0) {
				steps.add(new Step(story + " is lost", () -> state.minus(packet).spent(1, 0, 0)));
				steps.add(new Step(story + " arrives, and will once more",
						() -> delivered(state.spent(1, 0, 0), packet)));
			}
		}
		if (state.tick() < this.scope.ticks()) {
			steps.add(new Step("a third of the lease passes", () -> later(state)));
		}
		for (int jvm = 0; jvm < 2 && state.crashes() > 0; jvm++) {
			int crashed = jvm;
			steps.add(new Step("the JVM of " + ((jvm == 0) ? "A" : "B") + " crashes", () -> crashed(state, crashed)));
		}
		if (state.failOvers() > 0 && !state.keys().equals(state.replica())) {
			steps.add(new Step("a replica without the last write becomes the master", () -> failedOver(state)));
		}
		if (state.forces() > 0) {
			steps.add(new Step("an operator releases the lock", () -> forced(state)));
		}
		return steps;
	}

	// ---- what JVMs do

	private void addAttempt(List<Step> steps, State state, int i) {
		Attempt attempt = state.attempts().get(i);
		switch (attempt.phase()) {
			case NEW -> steps.add(new Step(name(i) + " requests the lock", () -> requested(state, i, "tail")));
			case REQUESTED -> {
				if (attempt.repeats() > 0) {
					steps.add(new Step(name(i) + " repeats its request", () -> repeated(state, i)));
					steps.add(new Step(name(i) + " gives up", () -> released(state, i, 0)));
				}
				if (attempt.repeats() > 0 && attempt.since() != 0) {
					steps.add(new Step(name(i) + " confirms that it waits", () -> confirming(state, i)));
				}
			}
			case HELD -> {
				if (attempt.isHolder(Calls.now(state))) {
					steps.add(new Step(name(i) + " releases the lock", () -> released(state, i, attempt.token())));
				}
				if (attempt.isHolder(Calls.now(state)) && attempt.repeats() > 0) {
					steps.add(new Step(name(i) + " renews its lease",
							() -> renewing(state.with(i, attempt.repeated()), i)));
					if (this.scope.isShared() && limit(state, i) == 1) {
						steps.add(new Step(name(i) + " shares the lock", () -> sharing(state, i)));
					}
				}
			}
			case ENDED -> {
			}
		}
	}

	State requested(State state, int i, String position) {
		List<Object> words = List.of(this.scope.owner(i), Calls.LEASE, 0, this.scope.limits().get(i),
				ShippedScripts.CHANNELS, position);
		return sent(state.with(i, state.attempts().get(i).in(Phase.REQUESTED)), i, "acquire", words);
	}

	/** Requests the lock again, with the time since which the attempt waits. */
	State repeated(State state, int i) {
		Attempt attempt = state.attempts().get(i);
		return requested(state.with(i, attempt.repeated()), i,
				(attempt.since() != 0) ? Long.toString(attempt.since()) : "-1000");
	}

	State released(State state, int i, long token) {
		return sent(state.with(i, state.attempts().get(i).in(Phase.ENDED)), i, "release",
				List.of(this.scope.owner(i), token, Calls.LEASE, ShippedScripts.CHANNELS));
	}

	/** As one of several waiters of its JVM. */
	private State confirming(State state, int i) {
		Attempt attempt = state.attempts().get(i);
		return sent(state.with(i, attempt.repeated()), i, "confirm",
				List.of("", this.scope.owner(i), this.scope.limits().get(i), attempt.since()));
	}

	private State sharing(State state, int i) {
		Attempt attempt = state.attempts().get(i);
		return sent(state.with(i, attempt.repeated().share()), i, "downgrade",
				List.of(this.scope.owner(i), attempt.token(), Calls.LEASE, ShippedScripts.CHANNELS));
	}

	/** How many may hold the lock together with an attempt now. */
	private int limit(State state, int i) {
		return state.attempts().get(i).shared() ? Integer.MAX_VALUE : this.scope.limits().get(i);
	}

	private State renewing(State state, int i) {
		return sent(state, i, "renew", List.of(this.scope.owner(i), Calls.LEASE, 0));
	}

	private State sent(State state, int i, String call, List<Object> words) {
		return state.plus(new Packet(Kind.REQUEST, i, call, words, Calls.now(state)));
	}

	// ---- packets

	State delivered(State state, Packet packet) {
		if (packet.kind() == Kind.REQUEST) {
			return run(state, packet);
		}
		if (this.scope.jvm(packet.attempt()) == state.crashed()) {
			return state;
		}
		return switch (packet.call()) {
			case "acquire" -> acquireReplied(state, packet);
			case "confirm" -> confirmReplied(state, packet);
			case "renew", "downgrade" -> renewReplied(state, packet);
			case "grant" -> granted(state, packet);
			case "taken" -> lost(state, packet.attempt());
			default -> state;
		};
	}

	private State run(State state, Packet packet) {
		Calls.Outcome outcome = call(state, packet.call(), packet.words());
		return replied(written(state, outcome), packet, outcome.reply());
	}

	/** Only calls about an exclusive lock, and none that has waited. */
	private boolean isBatched(Packet packet) {
		return packet.kind() == Kind.REQUEST && this.scope.limits().get(packet.attempt()) == 1
				&& (packet.call().equals("release") || packet.words().contains("tail"));
	}

	/**
	 * Run a call behind another one of a batch. What the batch does not execute is still
	 * under way: it is sent alone later, and so may arrive after any other packet.
	 */
	private State runInBatch(State state, Packet packet) {
		boolean acquires = packet.call().equals("acquire");
		List<Object> words = new ArrayList<>(List.of(acquires ? "ra" : "rr", "nobody", 1));
		words.addAll(packet.words().subList(0, acquires ? 3 : 2));
		Calls.Outcome outcome = call(state, "batch", words);
		List<?> replies = (List<?>) Objects.requireNonNull(outcome.reply());
		if (replies.size() != 2) {
			throw new Violation("A batch does not reply to each of its calls");
		}
		Object reply = replies.get(1);
		if (reply != null) {
			return replied(written(state.minus(packet), outcome), packet, reply);
		}
		if (isChanged(state, outcome)) {
			throw new Violation("A batch changes what it does not reply to");
		}
		return state;
	}

	private static State replied(State after, Packet packet, @Nullable Object reply) {
		List<Object> words = new ArrayList<>();
		if (reply instanceof List<?> list) {
			list.forEach((word) -> words.add(String.valueOf(word)));
		}
		else {
			words.add(String.valueOf(reply));
		}
		return packet.call().equals("release") ? after
				: after.plus(new Packet(Kind.REPLY, packet.attempt(), packet.call(), words, packet.sentMillis()));
	}

	private Calls.Outcome call(State state, String call, List<Object> words) {
		Calls.Outcome outcome = this.calls.run(state, call, words);
		if (outcome.reply() == null || outcome.reply() instanceof RedisError) {
			throw new Violation(call + " fails: " + outcome.reply());
		}
		return outcome;
	}

	/** The state with the keys after a script, and its messages under way. */
	private State written(State state, Calls.Outcome outcome) {
		boolean changed = !outcome.keys().equals(state.keys());
		State after = changed ? state.withKeys(outcome.keys(), state.keys()) : state;
		for (String message : outcome.messages()) {
			String[] words = message.split(" ");
			for (int i = 0; i < state.attempts().size() && !words[0].equals("queued"); i++) {
				if (words[1].equals(this.scope.owner(i))) {
					after = after.plus(new Packet(Kind.MESSAGE, i, words[0], List.of((Object[]) words), 0));
				}
			}
		}
		return after;
	}

	private State acquireReplied(State state, Packet packet) {
		int i = packet.attempt();
		Attempt attempt = state.attempts().get(i);
		boolean owned = packet.words().size() == 1 || packet.number(0) == 1;
		if (owned && attempt.isPending() && Calls.now(state) < packet.sentMillis() + Calls.LEASE) {
			return held(state, i, packet.number((packet.words().size() == 1) ? 0 : 1),
					packet.sentMillis() + Calls.LEASE);
		}
		if (owned && attempt.phase() != Phase.HELD) {
			return released(state, i, 0);
		}
		if (owned || !attempt.isPending()) {
			return state;
		}
		if (packet.number(0) != 2) {
			throw new Violation(name(i) + " does not queue");
		}
		return state.with(i, attempt.queuedSince(packet.number(2)));
	}

	/**
	 * An attempt that is no longer queued requests the lock; one that has left, again.
	 */
	private State confirmReplied(State state, Packet packet) {
		int i = packet.attempt();
		Attempt attempt = state.attempts().get(i);
		if (attempt.isPending() && packet.words().size() > 3) {
			return requested(state, i, Long.toString(attempt.since()));
		}
		return (attempt.phase() == Phase.ENDED) ? released(state, i, 0) : state;
	}

	private State renewReplied(State state, Packet packet) {
		Attempt attempt = state.attempts().get(packet.attempt());
		if (attempt.phase() != Phase.HELD) {
			return state;
		}
		return (packet.number(0) == 0) ? lost(state, packet.attempt())
				: state.with(packet.attempt(), attempt.until(packet.sentMillis() + Calls.LEASE));
	}

	private State granted(State state, Packet packet) {
		int i = packet.attempt();
		long deadline = packet.number(4) / 1000 + packet.number(5);
		if (state.attempts().get(i).isPending() && Calls.now(state) < deadline) {
			return renewing(held(state, i, packet.number(2), deadline), i);
		}
		return (state.attempts().get(i).phase() == Phase.ENDED) ? released(state, i, 0) : state;
	}

	private State lost(State state, int i) {
		Attempt attempt = state.attempts().get(i);
		return (attempt.phase() == Phase.HELD) ? state.with(i, attempt.in(Phase.ENDED)) : state;
	}

	/** An attempt holds the lock, unless that breaks a rule. */
	private State held(State state, int i, long token, long deadline) {
		int limit = this.scope.limits().get(i);
		if (token < state.highest() || (limit == 1 && token == state.highest())) {
			throw new Violation("The token of " + name(i) + " does not grow");
		}
		State after = state.with(i, state.attempts().get(i).holding(token, deadline)).withHighest(token);
		int holders = 0;
		int least = limit;
		for (int other = 0; other < after.attempts().size(); other++) {
			Attempt attempt = after.attempts().get(other);
			if (attempt.isHolder(Calls.now(state)) && !attempt.excused()) {
				holders++;
				least = Math.min(least, limit(after, other));
			}
		}
		if (holders > least) {
			throw new Violation("The lock has " + holders + " holders");
		}
		return after;
	}

	/** Checks that an inspection changes nothing and tells who holds the lock. */
	void inspect(State state) {
		Calls.Outcome outcome = call(state, "inspect", List.of());
		List<?> told = (List<?>) Objects.requireNonNull(outcome.reply());
		for (int i = 0; i < state.attempts().size(); i++) {
			Attempt attempt = state.attempts().get(i);
			if (attempt.isHolder(Calls.now(state)) && !attempt.excused() && !told.contains(this.scope.owner(i))) {
				throw new Violation(name(i) + " holds the lock, but an inspection does not tell");
			}
		}
		if (isChanged(state, outcome)) {
			throw new Violation("An inspection changes the lock");
		}
	}

	/** Whether a script has changed more than keys whose time was over. */
	private boolean isChanged(State state, Calls.Outcome outcome) {
		return !this.calls.canonical(state.withKeys(outcome.keys(), state.replica()))
			.equals(this.calls.canonical(state));
	}

	// ---- time and faults

	State later(State state) {
		State after = state.later();
		for (int i = 0; i < after.attempts().size(); i++) {
			Attempt attempt = after.attempts().get(i);
			if (attempt.phase() == Phase.HELD && !attempt.isHolder(Calls.now(after))) {
				after = after.with(i, attempt.in(Phase.ENDED));
			}
		}
		return after;
	}

	private State crashed(State state, int jvm) {
		State after = state.withCrash(jvm);
		for (int i = 0; i < after.attempts().size(); i++) {
			if (this.scope.jvm(i) == jvm) {
				after = after.with(i, after.attempts().get(i).in(Phase.ENDED));
			}
		}
		return after;
	}

	/** It takes at least as long as tokens are reserved ahead of the time. */
	private State failedOver(State state) {
		State after = later(state.withKeys(state.replica(), state.replica()).spent(0, 1, 0));
		return this.scope.breaksAfterFailOver() ? after : excused(after);
	}

	private State forced(State state) {
		return excused(written(state, call(state, "force", FORCE))).spent(0, 0, 1);
	}

	/**
	 * Those that hold the lock, or will learn that they did, are not its only holders.
	 */
	private static State excused(State state) {
		List<Packet> packets = new ArrayList<>(state.packets());
		packets.removeIf((packet) -> packet.kind() == Kind.REPLY || packet.call().equals("grant"));
		return state.withAll(state.attempts().stream().map(Attempt::excuse).toList()).withPackets(packets);
	}

	// ---- stories

	private static String name(int attempt) {
		return String.valueOf((char) ('A' + attempt));
	}

	private static String story(Packet packet) {
		return switch (packet.kind()) {
			case REQUEST -> packet.call() + " of " + name(packet.attempt());
			case REPLY -> "reply to " + packet.call() + " of " + name(packet.attempt());
			case MESSAGE -> packet.call() + " for " + name(packet.attempt());
		};
	}

}
