package io.github.lockboot.annotation;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/**
 * Chooses the {@link ResultKind} of a method.
 */
final class ResultKinds {

	private static final boolean REACTOR = isPresent("reactor.core.publisher.Flux");

	private static final boolean COROUTINES = isPresent("kotlinx.coroutines.reactor.MonoKt");

	private final ResultKind stage;

	ResultKinds(Executor executor) {
		this.stage = new StageResult(executor);
	}

	/**
	 * Choose the kind of a method.
	 * @param method the method
	 * @param userClass class of the object that it is called on
	 * @throws IllegalArgumentException if it can't be told when the work of the method is
	 * done
	 */
	ResultKind of(Method method, Class<?> userClass) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			return suspending(method);
		}
		Class<?> type = method.getReturnType();
		boolean isFuture = Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type);
		if (isFuture) {
			return future(method, type, userClass);
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		if (adapter == null) {
			return ResultKind.PLAIN;
		}
		return reactive(type, adapter);
	}

	private ResultKind future(Method method, Class<?> type, Class<?> userClass) {
		if (isAsync(method) || isAsync(userClass)) {
			return new PooledResult();
		}
		if (type == CompletableFuture.class || type == CompletionStage.class) {
			return this.stage;
		}
		throw unsupported(type, "return a CompletableFuture, or put @Async on the method");
	}

	private static ResultKind reactive(Class<?> type, ReactiveAdapter adapter) {
		if (!REACTOR) {
			throw unsupported(type, "without Reactor: add io.projectreactor:reactor-core");
		}
		return ReactiveResult.of(adapter);
	}

	private static ResultKind suspending(Method method) {
		if (!REACTOR || !COROUTINES) {
			throw new IllegalArgumentException(
					"it is a suspend function, which needs org.jetbrains.kotlinx:kotlinx-coroutines-reactor");
		}
		return ReactiveResult.suspending(method);
	}

	private static boolean isAsync(AnnotatedElement element) {
		return AnnotatedElementUtils.hasAnnotation(element, Async.class);
	}

	private static IllegalArgumentException unsupported(Class<?> type, String cure) {
		return new IllegalArgumentException("it returns before its work is done, and results of type "
				+ type.getSimpleName() + " do not tell when that is: " + cure);
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, ResultKinds.class.getClassLoader());
	}

}
