package io.github.lockboot.aop;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
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
import org.springframework.core.KotlinDetector;
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
			OptionalDouble.class, Iterable.class, Map.class, BaseStream.class);

	/** The empty values, in order: the first one of the type is used. */
	private static final List<Supplier<?>> EMPTY = List.of(Optional::empty, OptionalInt::empty, OptionalLong::empty,
			OptionalDouble::empty, Collections::emptyList, Collections::emptySet, Collections::emptyNavigableSet,
			Collections::emptyMap, Collections::emptyNavigableMap, Stream::empty, IntStream::empty, LongStream::empty,
			DoubleStream::empty);

	private EmptyResult() {
	}

	/**
	 * Return a function that creates the empty value of a method's result, or returns
	 * {@code null}.
	 * @param cure what to do about a result without an empty value, as the end of a
	 * sentence
	 * @throws IllegalArgumentException for a primitive type, and for a type of Kotlin
	 * that is never null
	 */
	public static Supplier<@Nullable Object> of(Method method, Class<?> owner, String cure) {
		Class<?> declared = ResultKind.resultOf(method, owner).toClass();
		// the empty flow of a suspend function is an empty publisher
		boolean flow = KotlinDetector.isSuspendingFunction(method) && asynchronous(declared) != null;
		Class<?> type = flow ? method.getReturnType() : declared;
		Assert.isTrue(type == void.class || !type.isPrimitive(), () -> "it returns " + type
				+ ", which has no value for a skipped call: return a wrapper type, or " + cure);
		Supplier<?> empty = emptyOf(type);
		Assert.isTrue(empty != null || flow || !KotlinFunctions.isNeverNull(method),
				() -> "it returns " + type.getSimpleName()
						+ ", which is never null, and a skipped call would return null: add '?' to the type, or "
						+ cure);
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
