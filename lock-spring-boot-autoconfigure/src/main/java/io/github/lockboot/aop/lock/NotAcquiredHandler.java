package io.github.lockboot.aop.lock;

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
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.Assert;

import io.github.lockboot.LockNotAcquiredException;

/**
 * Answers calls that did not acquire their lock. Thread-safe.
 */
@FunctionalInterface
interface NotAcquiredHandler {

	NotAcquiredHandler THROWING = (target, arguments, reason) -> {
		throw reason;
	};

	/** Types of results with an empty value. */
	Set<Class<?>> CONTAINERS = Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class,
			Iterable.class, Map.class, BaseStream.class);

	/** The empty values, in order: the first one of the type is used. */
	List<Supplier<?>> EMPTY = List.of(Optional::empty, OptionalInt::empty, OptionalLong::empty, OptionalDouble::empty,
			Collections::emptyList, Collections::emptySet, Collections::emptyNavigableSet, Collections::emptyMap,
			Collections::emptyNavigableMap, Stream::empty, IntStream::empty, LongStream::empty, DoubleStream::empty);

	/** Return the result of a call in place of the method, or throw the reason. */
	@Nullable Object answer(@Nullable Object target, @Nullable Object[] arguments, LockNotAcquiredException reason)
			throws Throwable;

	/**
	 * Return a handler that answers with the empty value of a type, or {@code null}.
	 * @throws IllegalArgumentException for a primitive type
	 */
	static NotAcquiredHandler skipping(Class<?> type) {
		Assert.isTrue(type == void.class || !type.isPrimitive(),
				() -> "it returns " + type + ", which has no value for a skipped call: return "
						+ "a wrapper type, or set onNotAcquired = THROW or a fallback");
		Supplier<?> empty = emptyOf(type);
		return (target, arguments, reason) -> (empty != null) ? empty.get() : null;
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
