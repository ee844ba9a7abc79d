package io.github.lockboot.redis.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.lettuce.core.RedisException;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.StageFailure;

/**
 * The replies so far of all members to one call.
 *
 * @param failures the failures of the calls without a reply
 */
record QuorumVote<T>(int members, List<T> replies, List<Throwable> failures) {

	/**
	 * Decide as soon as the missing replies cannot change the result.
	 * @param rule returns the decision, or {@code null} while it is open
	 * @return the decision, which fails if all members have replied without a decision,
	 * or if too few members can still reply
	 */
	static <T, R> CompletableFuture<R> decide(List<CompletionStage<T>> calls,
			Function<QuorumVote<T>, @Nullable R> rule) {
		List<CompletableFuture<T>> futures = calls.stream().map(CompletionStage::toCompletableFuture).toList();
		CompletableFuture<R> decision = new CompletableFuture<>();
		futures.forEach((future) -> future.whenComplete((reply, failure) -> {
			if (!decision.isDone()) {
				count(futures).decide(rule, decision);
			}
		}));
		return decision;
	}

	private static <T> QuorumVote<T> count(List<CompletableFuture<T>> calls) {
		List<T> replies = new ArrayList<>();
		List<Throwable> failures = new ArrayList<>();
		calls.stream().filter(CompletableFuture::isDone).forEach((call) -> call.whenComplete((reply, failure) -> {
			if (failure != null) {
				failures.add(StageFailure.cause(failure));
			}
			else {
				replies.add(reply);
			}
		}));
		return new QuorumVote<>(calls.size(), replies, failures);
	}

	private <R> void decide(Function<QuorumVote<T>, @Nullable R> rule, CompletableFuture<R> decision) {
		R decided = rule.apply(this);
		if (decided != null) {
			decision.complete(decided);
		}
		else if (missing() == 0 || preventQuorum(this.failures.size())) {
			String message = this.replies.size() + " of " + this.members + " servers replied, but " + quorum()
					+ " have to agree";
			decision.completeExceptionally(this.failures.isEmpty() ? new RedisException(message) : new RedisException(
					message + "; the first failure: " + this.failures.get(0), this.failures.get(0)));
		}
	}

	int quorum() {
		return this.members / 2 + 1;
	}

	int missing() {
		return this.members - this.replies.size() - this.failures.size();
	}

	<S extends T> List<S> of(Class<S> kind) {
		return this.replies.stream().filter(kind::isInstance).map(kind::cast).toList();
	}

	/**
	 * Return whether the number of members that have replied otherwise prevents a quorum.
	 */
	boolean preventQuorum(int others) {
		return others > this.members - quorum();
	}

}
