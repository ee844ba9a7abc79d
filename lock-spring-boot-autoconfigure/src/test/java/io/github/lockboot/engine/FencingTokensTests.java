package io.github.lockboot.engine;

import org.junit.jupiter.api.Test;

import io.github.lockboot.engine.store.FencingTokens;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FencingTokens}.
 */
class FencingTokensTests {

	/** A time in microseconds. */
	private static final long STORE_TOKEN = 1_795_262_400_123_456L;

	private final FencingTokens tokens = new FencingTokens("0123456789abcdef");

	@Test
	void twoJvmsHaveDifferentTokensEvenIfTwoServersIssueTheSame() {
		FencingTokens others = new FencingTokens("fedcba9876543210");
		assertThat(this.tokens.exclusive(STORE_TOKEN)).isNotEqualTo(others.exclusive(STORE_TOKEN));
	}

	@Test
	void theOrderOfTokensIsThatOfTheStoreForAnyJvm() {
		FencingTokens others = new FencingTokens("fedcba9876543210");
		assertThat(this.tokens.exclusive(STORE_TOKEN)).isLessThan(others.exclusive(STORE_TOKEN + 1));
		assertThat(others.exclusive(STORE_TOKEN)).isLessThan(this.tokens.exclusive(STORE_TOKEN + 1));
	}

	@Test
	void sharedHolderIsNotRejectedBecauseOfTheExclusiveHolderBefore() {
		assertThat(FencingTokens.shared(STORE_TOKEN)).isGreaterThan(this.tokens.exclusive(STORE_TOKEN));
	}

	@Test
	void theExclusiveHolderAfterwardsIsLaterThanTheSharedOnes() {
		assertThat(this.tokens.exclusive(STORE_TOKEN + 1)).isGreaterThan(FencingTokens.shared(STORE_TOKEN));
	}

	@Test
	void zeroMeansNoToken() {
		assertThat(FencingTokens.shared(0)).isZero();
	}

}
