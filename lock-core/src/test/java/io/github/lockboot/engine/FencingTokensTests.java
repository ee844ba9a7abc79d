package io.github.lockboot.engine;

import org.junit.jupiter.api.Test;

import io.github.lockboot.engine.store.StoreTraits;
import io.github.lockboot.engine.support.FencingTokens;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FencingTokens}.
 */
class FencingTokensTests {

	/** A time in microseconds. */
	private static final long STORE_TOKEN = 1_795_262_400_123_456L;

	private final FencingTokens tokens = new FencingTokens(StoreTraits.Tokens.TIMES, "0123456789abcdef");

	@Test
	void twoJvmsHaveDifferentTokensEvenIfTwoServersIssueTheSame() {
		FencingTokens others = new FencingTokens(StoreTraits.Tokens.TIMES, "fedcba9876543210");
		assertThat(this.tokens.exclusive(STORE_TOKEN)).isNotEqualTo(others.exclusive(STORE_TOKEN));
	}

	@Test
	void theOrderOfTokensIsThatOfTheStoreForAnyJvm() {
		FencingTokens others = new FencingTokens(StoreTraits.Tokens.TIMES, "fedcba9876543210");
		assertThat(this.tokens.exclusive(STORE_TOKEN)).isLessThan(others.exclusive(STORE_TOKEN + 1));
		assertThat(others.exclusive(STORE_TOKEN)).isLessThan(this.tokens.exclusive(STORE_TOKEN + 1));
	}

	@Test
	void sharedHolderIsLaterThanTheExclusiveHolderBeforeAndEarlierThanTheNextOne() {
		assertThat(this.tokens.shared(STORE_TOKEN)).isBetween(this.tokens.exclusive(STORE_TOKEN) + 1,
				this.tokens.exclusive(STORE_TOKEN + 1) - 1);
	}

	@Test
	void numbersOfTheStoreAreTheTokensOfCallers() {
		FencingTokens numbers = new FencingTokens(StoreTraits.Tokens.NUMBERS, "0123456789abcdef");
		assertThat(numbers.exclusive(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
		assertThat(numbers.shared(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
	}

	@Test
	void zeroMeansNoToken() {
		assertThat(this.tokens.shared(0)).isZero();
	}

}
