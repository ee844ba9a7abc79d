package io.github.lockboot.engine;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Calls about several locks that are kept back to reach the store as one. Thread-safe.
 *
 * @param <R> what the store answers to each
 */
final class Batch<R> {

	private final ReentrantLock mutex = new ReentrantLock();

	private final Map<Attempt, Long> tokens = new LinkedHashMap<>();

	private final Map<Attempt, CompletableFuture<R>> answers = new LinkedHashMap<>();

	private boolean sent;

	/** What all are told without asking the store, those who come later too. */
	private @Nullable R refusal;

	/**
	 * Keep a call back.
	 * @param attempt whom it is about
	 * @param token what else is to be told
	 * @return completed once the store has answered to all; {@code null} if it has been
	 * asked before
	 */
	@Nullable CompletionStage<R> add(Attempt attempt, long token) {
		this.mutex.lock();
		try {
			if (this.refusal != null) {
				return CompletableFuture.completedStage(this.refusal);
			}
			if (this.sent) {
				return null;
			}
			this.tokens.put(attempt, token);
			return this.answers.computeIfAbsent(attempt, (key) -> new CompletableFuture<>());
		}
		finally {
			this.mutex.unlock();
		}
	}

	int size() {
		this.mutex.lock();
		try {
			return this.answers.size();
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Make the call.
	 * @param call how to ask the store
	 */
	void send(Function<Map<Attempt, Long>, CompletionStage<Map<Attempt, R>>> call) {
		this.mutex.lock();
		try {
			this.sent = true;
		}
		finally {
			this.mutex.unlock();
		}
		Replies.ask(() -> call.apply(this.tokens)).whenComplete((replies, failure) -> {
			if (replies != null) {
				this.answers
					.forEach((attempt, answer) -> answer.complete(Objects.requireNonNull(replies.get(attempt))));
			}
			else {
				Throwable cause = Objects.requireNonNull(failure);
				this.answers.values().forEach((answer) -> answer.completeExceptionally(cause));
			}
		});
	}

	/**
	 * Do not ask the store.
	 * @param refusal what all are told instead, those who come later too
	 */
	void refuse(R refusal) {
		this.mutex.lock();
		try {
			this.refusal = refusal;
		}
		finally {
			this.mutex.unlock();
		}
		this.answers.values().forEach((answer) -> answer.complete(refusal));
	}

}
