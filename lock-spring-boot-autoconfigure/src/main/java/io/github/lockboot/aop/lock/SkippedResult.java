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

/**
 * Empty results of methods that were skipped.
 */
final class SkippedResult {

	private static final Set<Class<?>> CONTAINERS = Set.of(Optional.class, OptionalInt.class, OptionalLong.class,
			OptionalDouble.class, Iterable.class, Map.class, BaseStream.class);

	/** In order: the first one that has the type is used. */
	private static final List<Supplier<?>> EMPTY = List.of(Optional::empty, OptionalInt::empty, OptionalLong::empty,
			OptionalDouble::empty, Collections::emptyList, Collections::emptySet, Collections::emptyNavigableSet,
			Collections::emptyMap, Collections::emptyNavigableMap, Stream::empty, IntStream::empty, LongStream::empty,
			DoubleStream::empty);

	private SkippedResult() {
	}

	/**
	 * Return the handler for a result type.
	 * @throws IllegalArgumentException if the type has no empty value
	 */
	static NotAcquiredHandler of(Class<?> type) {
		Assert.isTrue(type == void.class || !type.isPrimitive(),
				() -> "it returns " + type + ", which has no value for a call that SKIP does not run: return "
						+ "a wrapper type, or set onNotAcquired = THROW or a fallback");
		Supplier<?> nothing = nothing(type);
		return (nothing != null) ? (target, arguments, reason) -> nothing.get() : (target, arguments, reason) -> null;
	}

	private static @Nullable Supplier<?> nothing(Class<?> type) {
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
