package io.github.lockboot.engine;

import java.util.function.Consumer;
import java.util.stream.Stream;

import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.lockboot.LockAction;
import io.github.lockboot.LockCallback;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Calls without a section or a callback.
 */
@NullUnmarked
class MissingArgumentTests extends SteppedLocks {

	static Stream<Named<Consumer<LockOperations>>> sections() {
		LockRequest request = LockRequest.of("order:42");
		return Stream.of(
				Named.of("execute", (locks) -> locks.execute(request, (LockCallback<String, RuntimeException>) null)),
				Named.of("execute an action", (locks) -> locks.execute(request, (LockAction<RuntimeException>) null)),
				Named.of("tryExecute", (locks) -> locks.tryExecute(request, (LockAction<RuntimeException>) null)));
	}

	@ParameterizedTest
	@MethodSource("sections")
	void areRejectedBeforeTheLockIsAcquired(Consumer<LockOperations> method) {
		assertThatIllegalArgumentException().isThrownBy(() -> method.accept(this.locks))
			.withMessage("The section to run under lock 'order:42' must not be null");
		assertThat(this.store.takeCalls()).isEmpty();
	}

	static Stream<LockRequest> requests() {
		return Stream.of(LockRequest.of("order:42"), LockRequest.allOf("order:42", "order:43"));
	}

	@ParameterizedTest
	@MethodSource("requests")
	void areRejectedBeforeTheLockIsLost(LockRequest request) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.locks.acquire(request).onLost(null))
			.withMessageContaining("order:42");
	}

}
