package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * How the result of a method shows that the work of the method is done.
 */
@Internal
public enum ResultKind {

	/** The work is done when the method returns. */
	PLAIN,

	/**
	 * The work is done when the {@link CompletionStage} or {@link CompletableFuture} is
	 * completed.
	 */
	STAGE,

	/** The work is done when the result calls back, see {@link ResultEnd}. */
	CALLBACK,

	/** Any other future, which only a thread can wait for. */
	FUTURE,

	/**
	 * The work of each subscription is done when the publisher, or a type that Spring
	 * converts into a publisher, ends.
	 */
	REACTIVE;

	private static final boolean REACTOR = isPresent("reactor.core.publisher.Flux");

	private static final boolean COROUTINES = isPresent("kotlinx.coroutines.reactor.MonoKt");

	/**
	 * Return the kind of a method.
	 * @param owner the class of the bean, which may declare the type of a generic result
	 * @throws IllegalArgumentException if a library for the kind is missing, or if the
	 * result hands out work whose end it does not show
	 */
	public static ResultKind of(Method method, Class<?> owner, String subject) {
		ResolvableType result = resultOf(method, owner);
		ResultKind kind = find(method, result, subject);
		ReturnedWork.check(result, kind, KotlinDetector.isSuspendingFunction(method), subject);
		return kind;
	}

	/** Return the type of a result, of a suspend function the one in its source. */
	public static ResolvableType resultOf(Method method, Class<?> owner) {
		return ResolvableType.forType(new MethodParameter(method, -1).getGenericParameterType(),
				ResolvableType.forClass(owner).as(method.getDeclaringClass()));
	}

	private static ResultKind find(Method method, ResolvableType result, String subject) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			Assert.isTrue(REACTOR && COROUTINES, () -> subject
					+ "is a suspend function, which needs org.jetbrains.kotlinx:kotlinx-coroutines-reactor");
			return REACTIVE;
		}
		Class<?> type = result.toClass();
		if (type == CompletableFuture.class || type == CompletionStage.class) {
			return STAGE;
		}
		if (Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)) {
			return FUTURE;
		}
		if (ResultEnd.isShown(result)) {
			return CALLBACK;
		}
		// most results, for which the registry would only be loaded in vain
		ReactiveAdapter adapter = (type.isPrimitive() || type.getName().startsWith("java.lang.")) ? null
				: ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		if (adapter != null) {
			checkConversion(adapter.getReactiveType(), type, subject);
		}
		return (adapter != null) ? REACTIVE : PLAIN;
	}

	/** Check that the publisher of a call is of the type that the method returns. */
	private static void checkConversion(Class<?> publisher, Class<?> type, String subject) {
		if (!REACTOR) {
			throw unsupported(type, subject, "without Reactor: add io.projectreactor:reactor-core");
		}
		if (!type.isAssignableFrom(publisher)) {
			throw unsupported(type, subject, "return a " + publisher.getSimpleName());
		}
	}

	/** Create the exception for a result type that is not supported. */
	public static IllegalArgumentException unsupported(Class<?> type, String subject, String cure) {
		return new IllegalArgumentException(subject + "returns before its work is done, and results of type "
				+ type.getSimpleName() + " do not show when the work is done: " + cure);
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, ResultKind.class.getClassLoader());
	}

}
