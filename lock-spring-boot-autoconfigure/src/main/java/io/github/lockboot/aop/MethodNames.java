package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * What methods are called in messages and in names, the same in every JVM.
 *
 * @since 1.0.0
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

	private static String typeName(Class<?> type) {
		String name = type.getTypeName();
		return (type.getPackageName().equals("java.lang")) ? name.substring(name.lastIndexOf('.') + 1) : name;
	}

	/**
	 * Return whose method it is: the class of the bean, also where it inherits the
	 * method. If that class is generated, with a different name in every JVM, or does not
	 * have the method, as the class behind a repository, an interface.
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
