package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;

import io.github.lockboot.Internal;

/**
 * Calls back when the work that a result hands out is done: when a stream is closed, an
 * emitter of Spring MVC is completed, or all stages in a result are completed.
 */
@Internal
@FunctionalInterface
public interface ResultEnd {

	/** Whether Spring MVC is present. */
	boolean MVC = ClassUtils.isPresent("org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			ResultEnd.class.getClassLoader());

	/** Return a result that calls back once, when its work is done. */
	Object observe(Object result, Runnable callback);

	/** Run a method, and call back when its work is done or it has failed. */
	default @Nullable Object run(MethodBody body, Runnable callback) throws Throwable {
		boolean handedOut = false;
		try {
			Object result = body.proceed();
			Object observed = (result != null) ? observe(result, callback) : null;
			handedOut = observed != null;
			return observed;
		}
		finally {
			if (!handedOut) {
				callback.run();
			}
		}
	}

	/** Return how the results of a method call back. */
	static ResultEnd of(Method method, Class<?> owner) {
		Class<?> type = ResultKind.resultOf(method, owner).toClass();
		if (isStream(type)) {
			return (result, callback) -> ((BaseStream<?, ?>) result).onClose(callback);
		}
		return isEmitter(type) ? new OfEmitter() : ResultEnd::observeStages;
	}

	private static Object observeStages(Object result, Runnable callback) {
		CompletableFuture.allOf(stages(result).map(ResultEnd::endOf).toArray(CompletableFuture<?>[]::new))
			.thenRun(callback);
		return result;
	}

	/** Return a future without the result: not every stage can be converted into one. */
	private static CompletableFuture<@Nullable Void> endOf(CompletionStage<?> stage) {
		CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
		stage.whenComplete((value, failure) -> end.complete(null));
		return end;
	}

	private static Stream<CompletionStage<?>> stages(@Nullable Object result) {
		if (result instanceof CompletionStage<?> stage) {
			return Stream.of(stage);
		}
		Stream<?> parts = (result instanceof Optional<?> optional) ? optional.stream()
				: (result instanceof Collection<?> several) ? several.stream()
						: (result instanceof Map<?, ?> map)
								? Stream.concat(map.keySet().stream(), map.values().stream())
								: (result instanceof Object[] array) ? Arrays.stream(array) : Stream.empty();
		return parts.flatMap(ResultEnd::stages);
	}

	/** Return whether the results of a type call back. */
	static boolean isShown(ResolvableType type) {
		return isStream(type.toClass()) || isEmitter(type.toClass()) || leaves(type, 0).anyMatch(ResultEnd::isStage);
	}

	/** Return the types of parts of a result whose ends the result does not show. */
	static Stream<ResolvableType> unseen(ResolvableType result) {
		return leaves(result, 0)
			.flatMap((leaf) -> (leaf == result || isStage(leaf)) ? Arrays.stream(leaf.getGenerics()) : Stream.of(leaf));
	}

	/** Return what the containers of a type contain, or the type itself. */
	private static Stream<ResolvableType> leaves(ResolvableType type, int depth) {
		Class<?> container = type.isArray() ? Object[].class
				: Stream.of(Optional.class, Collection.class, Map.class)
					.filter((each) -> each.isAssignableFrom(type.toClass()))
					.findFirst()
					.orElse(null);
		if (container == null || depth > ReturnedWork.MAX_DEPTH) {
			return Stream.of(type);
		}
		List<ResolvableType> parts = type.isArray() ? List.of(type.getComponentType())
				: List.of(type.as(container).getGenerics());
		return parts.stream().flatMap((part) -> leaves(part, depth + 1));
	}

	private static boolean isStage(ResolvableType type) {
		return CompletionStage.class.isAssignableFrom(type.toClass());
	}

	/** Return whether a type is a stream, whose caller must close it. */
	static boolean isStream(Class<?> type) {
		return BaseStream.class.isAssignableFrom(type);
	}

	private static boolean isEmitter(Class<?> type) {
		return MVC && OfEmitter.isFor(type);
	}

	/** Loaded only where Spring MVC is present. */
	record OfEmitter() implements ResultEnd {

		static boolean isFor(Class<?> type) {
			return ResponseBodyEmitter.class.isAssignableFrom(type);
		}

		@Override
		public Object observe(Object result, Runnable callback) {
			((ResponseBodyEmitter) result).onCompletion(callback);
			return result;
		}

	}

}
