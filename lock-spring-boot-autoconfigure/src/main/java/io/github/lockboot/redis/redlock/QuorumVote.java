package io.github.lockboot.redis.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Collects the answers of all members to one question, and decides as soon as those that
 * are still to come can change nothing.
 *
 * @param <T> type of an answer
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
	 * Count.
	 * @param asked the answers to come
	 * @param rule makes the decision, or answers {@code null} while it is open; the stage
	 * fails without one when all have answered, or when too few can answer still
	 * @param <T> type of an answer
	 * @param <R> type of the decision
	 * @return the decision
	 */
	static <T, R> CompletableFuture<R> decide(List<CompletionStage<T>> asked, Function<Votes<T>, @Nullable R> rule) {
		QuorumVote<T, R> vote = new QuorumVote<>(asked.size(), rule);
		asked.forEach((stage) -> stage.whenComplete(vote::count));
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
				this.failures.add((failure != null) ? failure : new IllegalStateException("no answer"));
			}
			votes = new Votes<>(this.members, List.copyOf(this.replies), List.copyOf(this.failures));
		}
		finally {
			this.mutex.unlock();
		}
		if (!this.decision.isDone()) {
			decide(votes);
		}
	}

	private void decide(Votes<T> votes) {
		R decided = this.rule.apply(votes);
		if (decided != null) {
			this.decision.complete(decided);
		}
		else if (votes.open() == 0 || votes.isLost(votes.failures().size())) {
			this.decision.completeExceptionally(votes.disagreement());
		}
	}

	/**
	 * The answers so far.
	 *
	 * @param members how many were asked
	 * @param replies what was answered, in the order of arrival
	 * @param failures why there is no answer of some
	 * @param <T> type of an answer
	 */
	record Votes<T>(int members, List<T> replies, List<Throwable> failures) {

		int quorum() {
			return this.members / 2 + 1;
		}

		int open() {
			return this.members - this.replies.size() - this.failures.size();
		}

		/**
		 * Return the answers of one kind.
		 * @param kind the kind
		 * @param <S> type of the kind
		 * @return those answers
		 */
		<S extends T> List<S> of(Class<S> kind) {
			return this.replies.stream().filter(kind::isInstance).map(kind::cast).toList();
		}

		/**
		 * Whether so many have answered otherwise that no quorum can agree.
		 * @param others how many have
		 * @return true if so
		 */
		boolean isLost(int others) {
			return others > this.members - quorum();
		}

		/**
		 * Return what is thrown if no quorum has answered alike.
		 * @return tells the first failure
		 */
		QuorumLostException disagreement() {
			return new QuorumLostException(this.members - this.failures.size(), this.members, quorum(), this.failures);
		}

	}

}
