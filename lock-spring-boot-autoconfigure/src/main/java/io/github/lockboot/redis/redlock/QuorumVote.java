package io.github.lockboot.redis.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

/**
 * Collects the replies of all members to one call, and decides as soon as the missing
 * ones can't change the result.
 *
 * @param <T> type of a reply
 * @param <R> type of the decision
 */
final class QuorumVote<T, R> {

	private final int members;

	private final Function<Votes<T>, @Nullable R> rule;

	private final CompletableFuture<R> decision = new CompletableFuture<>();

	private final ReentrantLock mutex = new ReentrantLock();

	private final List<T> replies = new ArrayList<>();

	private final List<Throwable> failures = new ArrayList<>();

	private QuorumVote(int members, Function<Votes<T>, @Nullable R> rule) {
		this.members = members;
		this.rule = rule;
	}

	/**
	 * Counts the replies.
	 * @param rule returns the decision, or {@code null} while it is open
	 * @return the decision; fails if none was made when all have replied, or when too few
	 * can still reply
	 */
	static <T, R> CompletableFuture<R> decide(List<CompletionStage<T>> calls, Function<Votes<T>, @Nullable R> rule) {
		QuorumVote<T, R> vote = new QuorumVote<>(calls.size(), rule);
		calls.forEach((call) -> call.whenComplete(vote::count));
		return vote.decision;
	}

	private void count(@Nullable T reply, @Nullable Throwable failure) {
		Votes<T> votes;
		this.mutex.lock();
		try {
			if (reply != null) {
				this.replies.add(reply);
			}
			else {
				this.failures.add((failure != null) ? failure : new IllegalStateException("no reply"));
			}
			votes = new Votes<>(this.members, List.copyOf(this.replies), List.copyOf(this.failures));
		}
		finally {
			this.mutex.unlock();
		}
		if (this.decision.isDone()) {
			return;
		}
		R decided = this.rule.apply(votes);
		if (decided != null) {
			this.decision.complete(decided);
		}
		else if (votes.missing() == 0 || votes.preventQuorum(votes.failures().size())) {
			this.decision.completeExceptionally(votes.noQuorum());
		}
	}

	/**
	 * The replies so far.
	 *
	 * @param members number of members that were called
	 * @param replies the replies, in the order of arrival
	 * @param failures the failures of the other calls
	 */
	record Votes<T>(int members, List<T> replies, List<Throwable> failures) {

		int quorum() {
			return this.members / 2 + 1;
		}

		int missing() {
			return this.members - this.replies.size() - this.failures.size();
		}

		<S extends T> List<S> of(Class<S> kind) {
			return this.replies.stream().filter(kind::isInstance).map(kind::cast).toList();
		}

		RedisException noQuorum() {
			String message = this.replies.size() + " of " + this.members + " servers answered, " + quorum()
					+ " have to agree";
			return this.failures.isEmpty() ? new RedisException(message) : new RedisException(
					message + "; the first that did not: " + this.failures.get(0), this.failures.get(0));
		}

		/** Whether so many members have replied otherwise that no quorum can agree. */
		boolean preventQuorum(int others) {
			return others > this.members - quorum();
		}

	}

}
