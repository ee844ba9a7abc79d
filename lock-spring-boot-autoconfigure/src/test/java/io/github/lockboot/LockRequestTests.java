package io.github.lockboot;

import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Requests that can't be made.
 */
class LockRequestTests {

	@Test
	@NullUnmarked
	void missingNameIsRefusedWithAMessage() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of(null))
			.withMessage("The name of a lock must not be blank");
	}

	@Test
	void blankGroupIsRefusedSinceItWouldBeATagOfMeters() {
		assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.of("order:42").group(" "))
			.withMessage("The group of lock 'order:42' must not be blank");
	}

}
