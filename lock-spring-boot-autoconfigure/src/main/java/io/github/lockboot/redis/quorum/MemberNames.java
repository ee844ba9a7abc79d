package io.github.lockboot.redis.quorum;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import io.github.lockboot.engine.Attempt;

/**
 * How the members know the attempts of this JVM: by another name in each round of one. A
 * release that belongs to a round without a quorum may reach a member very late; it must
 * not take away what the next round of the same attempt has won there.
 */
final class MemberNames {

	private final AtomicLong rounds = new AtomicLong();

	private final Map<String, Round> names = new ConcurrentHashMap<>();

	/**
	 * Begin a round. One that has been won goes on.
	 * @param attempt the attempt
	 * @return the attempt as the members are to know it
	 */
	Attempt begin(Attempt attempt) {
		Round round = this.names.compute(attempt.owner(), (owner, last) -> (last != null && last.isWon()) ? last
				: new Round(owner + "R" + Long.toString(this.rounds.incrementAndGet(), 36), false));
		return named(attempt, round);
	}

	/**
	 * Return the attempt as the members know it.
	 * @param attempt the attempt
	 * @return the attempt itself if it has no round
	 */
	Attempt present(Attempt attempt) {
		Round round = this.names.get(attempt.owner());
		return (round != null) ? named(attempt, round) : attempt;
	}

	void won(Attempt attempt) {
		this.names.computeIfPresent(attempt.owner(), (owner, round) -> new Round(round.name(), true));
	}

	/**
	 * A round is over without a quorum. Its name stays known, for a release, until the
	 * next begins.
	 * @param attempt the attempt
	 */
	void lost(Attempt attempt) {
		this.names.computeIfPresent(attempt.owner(), (owner, round) -> new Round(round.name(), false));
	}

	void forget(Attempt attempt) {
		this.names.remove(attempt.owner());
	}

	private static Attempt named(Attempt attempt, Round round) {
		return new Attempt(attempt.lock(), round.name(), attempt.leaseMillis(), attempt.permits());
	}

	/**
	 * One question for a lock to all members.
	 *
	 * @param name owner name at the members
	 * @param isWon whether a quorum has agreed
	 */
	private record Round(String name, boolean isWon) {

	}

}
