package io.github.lockboot;

import java.time.Duration;

import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Invalid requests.
 */
class LockRequestTests {

	@Test
	@NullUnmarked
	void missingNameIsRejectedWithAMessage() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of(null))
			.withMessage("The name of a lock must not be blank");
	}

	@Test
	void blankGroupIsRejectedBecauseItWouldBeATagOfMeters() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("order:42").group(" "))
			.withMessage("The group of lock 'order:42' must not be blank");
	}

	@Test
	void theShortestTimeOfAllIsRejectedWithItsValue() {
		Duration shortest = Duration.ofSeconds(Long.MIN_VALUE);
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("order:42").waitTime(shortest))
			.withMessage("The wait time of lock 'order:42' must not be negative but is " + shortest);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\u0000b", "a\ud83d", "\ude00b", "\ude00\ud83d" })
	void nameThatUtf8CannotEncodeIsRejectedBecauseItWouldShareALock(String name) {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of(name))
			.withMessageContaining("encode binary data in hexadecimal or Base64");
	}

	@Test
	void rejectionOfANameShowsTheName() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("a\u0000b"))
			.withMessageContaining("'a\\u0000b' has a NUL character at position 1");
	}

	@Test
	void nameThatAServerMightRefuseForItsLengthIsRejectedBecauseItWouldCloseTheConnectionOfAllCallers() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("x".repeat(10_001)))
			.withMessageContaining("must not be longer than 10000 characters but has 10001: 'xxx")
			.extracting((failure) -> String.valueOf(failure.getMessage()).length())
			.satisfies((length) -> assertThat(length).isLessThan(200));
	}

	@Test
	void nameMayContainAnyUnicodeCharacter() {
		assertThat(LockRequest.of("\u00fc\ud83d\ude00 \t").name()).isEqualTo("\u00fc\ud83d\ude00 \t");
	}

}
