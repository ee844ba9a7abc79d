package io.github.lockboot.annotation;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.Assert;

/**
 * The value that stands for a method that did not run.
 */
final class SkippedResult {

	private SkippedResult() {
	}

	/**
	 * Return how a skipped call of a method is answered.
	 * @param type return type of the method
	 * @return the answer
	 * @throws IllegalArgumentException if the type has no value for "nothing"
	 */
	static Refusal of(Class<?> type) {
		Assert.isTrue(type == void.class || !type.isPrimitive(),
				() -> "it returns " + type + ", which has no value for a call that SKIP does not run: return "
						+ "a wrapper type, or set onNotAcquired = THROW or a fallback");
		Supplier<?> nothing = nothing(type);
		return (nothing != null) ? (target, arguments, reason) -> nothing.get() : (target, arguments, reason) -> null;
	}

	private static @Nullable Supplier<?> nothing(Class<?> type) {
		if (type == Optional.class) {
			return Optional::empty;
		}
		if (type == OptionalInt.class) {
			return OptionalInt::empty;
		}
		if (type == OptionalLong.class) {
			return OptionalLong::empty;
		}
		if (type == OptionalDouble.class) {
			return OptionalDouble::empty;
		}
		return asynchronous(type);
	}

	private static @Nullable Supplier<?> asynchronous(Class<?> type) {
		if (type != Object.class && type.isAssignableFrom(CompletableFuture.class)) {
			return () -> CompletableFuture.completedFuture(null);
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		return (adapter != null && adapter.supportsEmpty()) ? adapter.getDescriptor()::getEmptyValue : null;
	}

}
