package io.github.lockboot.cache.aspect;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/**
 * Chooses the {@link ResultKind} of a method.
 */
final class ResultKinds {

	private static final String FLOW = "kotlinx.coroutines.flow.Flow";

	private static final boolean REACTOR = isPresent("reactor.core.publisher.Flux");

	private static final boolean COROUTINES = isPresent("kotlinx.coroutines.reactor.MonoKt");

	private ResultKinds() {
	}

	/**
	 * Choose the kind of a method.
	 * @throws IllegalArgumentException if it does not tell when its result is there
	 */
	static ResultKind of(Method method) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			return suspending(method);
		}
		Class<?> type = method.getReturnType();
		if (type == CompletableFuture.class || type == CompletionStage.class) {
			return new StageResult();
		}
		if (Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)) {
			throw unsupported(type, "return a CompletableFuture");
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		return (adapter != null) ? reactive(type, adapter) : ResultKind.PLAIN;
	}

	private static ResultKind reactive(Class<?> type, ReactiveAdapter adapter) {
		if (!REACTOR) {
			throw unsupported(type, "add io.projectreactor:reactor-core");
		}
		return ReactiveResult.of(adapter);
	}

	private static ResultKind suspending(Method method) {
		if (!REACTOR || !COROUTINES) {
			throw new IllegalArgumentException(
					"is a suspend function, which needs org.jetbrains.kotlinx:kotlinx-coroutines-reactor");
		}
		return ReactiveResult.suspending(new MethodParameter(method, -1).getParameterType().getName().equals(FLOW));
	}

	private static IllegalArgumentException unsupported(Class<?> type, String cure) {
		return new IllegalArgumentException("returns before its work is done: results of type " + type.getSimpleName()
				+ " can't be cached; " + cure);
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, ResultKinds.class.getClassLoader());
	}

}
