package io.github.lockboot.aop;

import java.lang.reflect.Array;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.Assert;

import io.github.lockboot.Internal;

/**
 * The result of a call that is skipped.
 */
@Internal
public final class EmptyResult {

	/** Types of results with an empty value. */
	private static final Set<Class<?>> CONTAINERS = Set.of(Optional.class, OptionalInt.class, OptionalLong.class,
			OptionalDouble.class, Iterable.class, Map.class);

	/** The empty values, in order: the first one of the type is used. */
	private static final List<Supplier<?>> EMPTY = List.of(Optional::empty, OptionalInt::empty, OptionalLong::empty,
			OptionalDouble::empty, Collections::emptyList, Collections::emptySet, Collections::emptyNavigableSet,
			Collections::emptyMap, Collections::emptyNavigableMap);

	private EmptyResult() {
	}

	/**
	 * Return a function that creates the empty value of a type, or returns {@code null}.
	 * @param cure what to do about a primitive type, as the end of a sentence
	 * @throws IllegalArgumentException for a primitive type
	 */
	public static Supplier<@Nullable Object> of(Class<?> type, String cure) {
		Assert.isTrue(type == void.class || !type.isPrimitive(), () -> "it returns " + type
				+ ", which has no value for a skipped call: return a wrapper type, or " + cure);
		Supplier<?> empty = emptyOf(type);
		return () -> (empty != null) ? empty.get() : null;
	}

	private static @Nullable Supplier<?> emptyOf(Class<?> type) {
		if (type.isArray()) {
			return () -> Array.newInstance(type.getComponentType(), 0);
		}
		if (CONTAINERS.stream().noneMatch((container) -> container.isAssignableFrom(type))) {
			return asynchronous(type);
		}
		return EMPTY.stream().filter((empty) -> type.isInstance(empty.get())).findFirst().orElse(null);
	}

	private static @Nullable Supplier<?> asynchronous(Class<?> type) {
		if (type != Object.class && type.isAssignableFrom(CompletableFuture.class)) {
			return () -> CompletableFuture.completedFuture(null);
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		return (adapter != null && adapter.supportsEmpty()) ? adapter.getDescriptor()::getEmptyValue : null;
	}

}
