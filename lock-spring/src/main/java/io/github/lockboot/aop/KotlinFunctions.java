package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.Internal;

/**
 * What the compiler of Kotlin makes of a function.
 */
@Internal
public final class KotlinFunctions {

	/** The types of kotlin-reflect, which is optional, whose functions are called. */
	static final List<String> REFLECTED = List.of("kotlin.reflect.jvm.ReflectJvmMapping", "kotlin.reflect.KCallable",
			"kotlin.reflect.KParameter", "kotlin.reflect.KType");

	private KotlinFunctions() {
	}

	/**
	 * Return whether a method is an overload by {@code @JvmOverloads}. It has the
	 * annotations of its function, which it calls on the proxy.
	 */
	static boolean isOverload(Method method) {
		return Modifier.isFinal(method.getModifiers()) && isKnown(method)
				&& Stream.of(method.getDeclaringClass().getDeclaredMethods())
					.anyMatch((other) -> other.getName().equals(method.getName() + "$default"))
				&& function(method) == null;
	}

	/** Return whether a class is a data class or an object, which can't be open. */
	static boolean isAlwaysFinal(Class<?> type) {
		return KotlinDetector.isKotlinType(type)
				&& (ClassUtils.hasMethod(type, "component1") || isStaticFieldOf(type, "INSTANCE", type));
	}

	/** Return the companion object of a class, which is no bean. */
	static Stream<Class<?>> companion(Class<?> type) {
		return KotlinDetector.isKotlinType(type) ? Stream.<Class<?>>of(type.getDeclaredClasses())
			.filter((nested) -> isStaticFieldOf(type, nested.getSimpleName(), nested)) : Stream.empty();
	}

	private static boolean isStaticFieldOf(Class<?> type, String name, Class<?> fieldType) {
		return Stream.of(type.getDeclaredFields())
			.anyMatch((field) -> Modifier.isStatic(field.getModifiers()) && field.getType() == fieldType
					&& field.getName().equals(name));
	}

	private static @Nullable Object function(Method method) {
		return call("kotlin.reflect.jvm.ReflectJvmMapping", "getKotlinFunction", null, method);
	}

	/** Return whether the declared result of a function can't be null. */
	static boolean isNeverNull(Method method) {
		MethodParameter result = new MethodParameter(method, -1);
		return isKnown(method) && result.getParameterType() != void.class && !result.isOptional();
	}

	/**
	 * Return the parameters of a suspend function that get their default value for a
	 * {@code null}, because Spring calls the function of a proxied bean by reflection.
	 */
	public static List<String> withoutNull(Method method) {
		Object function = (KotlinDetector.isSuspendingFunction(method) && isKnown(method)) ? function(method) : null;
		List<?> parameters = (function != null)
				? (List<?>) Objects.requireNonNull(call("kotlin.reflect.KCallable", "getParameters", function))
				: List.of();
		return parameters.stream()
			.filter((parameter) -> is("kotlin.reflect.KParameter", "isOptional", parameter)
					&& is("kotlin.reflect.KType", "isMarkedNullable",
							call("kotlin.reflect.KParameter", "getType", parameter)))
			.map((parameter) -> String.valueOf(call("kotlin.reflect.KParameter", "getName", parameter)))
			.toList();
	}

	private static boolean isKnown(Method method) {
		return KotlinDetector.isKotlinReflectPresent() && KotlinDetector.isKotlinType(method.getDeclaringClass());
	}

	private static boolean is(String type, String property, @Nullable Object target) {
		return Boolean.TRUE.equals(call(type, property, target));
	}

	private static @Nullable Object call(String type, String name, @Nullable Object target, Object... arguments) {
		Class<?> owner = ClassUtils.resolveClassName(type, KotlinFunctions.class.getClassLoader());
		Method function = ClassUtils.getMethod(owner, name,
				(arguments.length > 0) ? new Class<?>[] { Method.class } : new Class<?>[0]);
		return ReflectionUtils.invokeMethod(function, target, arguments);
	}

}
