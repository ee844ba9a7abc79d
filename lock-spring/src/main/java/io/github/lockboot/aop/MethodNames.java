package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;

import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * Names of methods for messages, locks and caches. The names are the same in every JVM.
 */
@Internal
public final class MethodNames {

	private MethodNames() {
	}

	/** Describe a method for a message. */
	public static String describe(Method method) {
		return method.getDeclaringClass().getName() + "." + signature(method);
	}

	/** Describe a method without its class. */
	public static String signature(Method method) {
		return method.getName() + Arrays.stream(method.getParameterTypes())
			.map(MethodNames::typeName)
			.collect(Collectors.joining(",", "(", ")"));
	}

	/** Return the names that a message offers instead of an unknown one. */
	public static String known(Collection<String> names) {
		return "the known names are: " + (names.isEmpty() ? "none" : "'" + String.join("', '", names) + "'");
	}

	private static String typeName(Class<?> type) {
		String name = type.getTypeName();
		return (type.getPackageName().equals("java.lang")) ? name.substring(name.lastIndexOf('.') + 1) : name;
	}

	/**
	 * Return the class that is part of a method's name: the class of the bean, even if
	 * the bean inherits the method. If that class is generated, so that its name differs
	 * in every JVM, or lacks the method, like the class behind a repository, return an
	 * interface.
	 */
	public static Class<?> owner(Method method, Class<?> targetClass) {
		Class<?> declaring = method.getDeclaringClass();
		Class<?> userClass = ClassUtils.getUserClass(targetClass);
		if (Proxy.isProxyClass(userClass) || userClass.isHidden()) {
			return Arrays.stream(userClass.getInterfaces())
				.filter((type) -> ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes()))
				.findFirst()
				.orElse(declaring);
		}
		return declaring.isAssignableFrom(userClass) ? userClass : declaring;
	}

}
