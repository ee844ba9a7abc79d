package io.github.lockboot.aop;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.KotlinDetector;

/**
 * The bridges of Kotlin that have another name than the method that they call. A method
 * with a value class has a suffix in its name, and the bridge that overrides a generic
 * method has none, so that Spring does not connect them.
 */
final class KotlinBridges {

	private KotlinBridges() {
	}

	/** Return the methods of which a bridge calls one; none if it is not a bridge. */
	static List<Method> calledBy(Method bridge) {
		return bridge.isBridge() ? related(bridge, (other) -> isBetween(bridge, other)).toList() : List.of();
	}

	/** Return the bridges that may call a method. */
	static Stream<Method> to(Method method) {
		return (method.getName().indexOf('-') > 0) ? related(method, (other) -> isBetween(other, method))
				: Stream.empty();
	}

	private static Stream<Method> related(Method method, Predicate<Method> relation) {
		Class<?> type = method.getDeclaringClass();
		return KotlinDetector.isKotlinType(type) ? Arrays.stream(type.getDeclaredMethods()).filter(relation)
				: Stream.empty();
	}

	private static boolean isBetween(Method bridge, Method called) {
		return bridge.isBridge() && !called.isBridge() && called.getName().startsWith(bridge.getName() + "-")
				&& called.getParameterCount() == bridge.getParameterCount();
	}

	/** Return whether a call is one of such a bridge, on a proxy of its class. */
	static boolean isCalledOn(ProxyMethodInvocation call) {
		Method bridge = call.getMethod();
		return bridge.getDeclaringClass().isInstance(call.getProxy()) && !calledBy(bridge).isEmpty();
	}

	/** Run a bridge on the proxy itself, so that it calls a method of the proxy. */
	static @Nullable Object call(ProxyMethodInvocation call) throws Throwable {
		Method bridge = call.getMethod();
		Class<?> type = bridge.getDeclaringClass();
		MethodHandle body = MethodHandles.privateLookupIn(type, MethodHandles.lookup()).unreflectSpecial(bridge, type);
		return body.bindTo(call.getProxy()).invokeWithArguments(call.getArguments());
	}

}
