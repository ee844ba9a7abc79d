package io.github.lockboot.concurrent;

import java.util.concurrent.CompletionException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StageFailureTests {

	private final IllegalStateException cause = new IllegalStateException();

	@Test
	void aWrapperOfTheStageIsUnwrapped() {
		assertThat(StageFailure.cause(new CompletionException(this.cause))).isSameAs(this.cause);
	}

	@Test
	void anyOtherFailureIsItsOwnCause() {
		RuntimeException failure = new RuntimeException(this.cause);
		assertThat(StageFailure.cause(failure)).isSameAs(failure);
	}

	@Test
	void aWrapperWithoutACauseIsItsOwnCause() {
		CompletionException empty = new CompletionException("empty", null);
		assertThat(StageFailure.cause(empty)).isSameAs(empty);
	}

}
