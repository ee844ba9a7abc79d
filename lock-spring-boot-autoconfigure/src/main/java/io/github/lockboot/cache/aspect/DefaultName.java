package io.github.lockboot.cache.aspect;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

import org.springframework.util.ClassUtils;

/**
 * The name of a cache that nobody has named: the same in every JVM, and another for each
 * method of each class of beans, inherited methods included.
 */
final class DefaultName {

	private DefaultName() {
	}

	/**
	 * Return the name.
	 * @param method the method of the target class
	 * @param targetClass the class that the method is called on
	 */
	static String of(Method method, Class<?> targetClass) {
		Class<?> owner = owner(method, ClassUtils.getUserClass(targetClass));
		CRC32 crc = new CRC32();
		String signature = owner.getName() + "." + method.getName()
				+ Arrays.stream(method.getParameterTypes()).map(Class::getName).toList();
		crc.update(signature.getBytes(StandardCharsets.UTF_8));
		return ClassUtils.getShortName(owner) + "." + method.getName() + "-" + Long.toHexString(crc.getValue());
	}

	/**
	 * The class of the bean; its interface where its class is made at run time, under
	 * another name in every JVM.
	 */
	private static Class<?> owner(Method method, Class<?> userClass) {
		if (Proxy.isProxyClass(userClass) || userClass.isHidden()) {
			return Arrays.stream(userClass.getInterfaces())
				.filter((type) -> ClassUtils.hasMethod(type, method.getName(), method.getParameterTypes()))
				.findFirst()
				.orElse(method.getDeclaringClass());
		}
		// the class behind a repository knows nothing of its interface
		return method.getDeclaringClass().isAssignableFrom(userClass) ? userClass : method.getDeclaringClass();
	}

}
