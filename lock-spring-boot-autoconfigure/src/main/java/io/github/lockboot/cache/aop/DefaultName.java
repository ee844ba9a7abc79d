package io.github.lockboot.cache.aop;

import java.lang.reflect.Method;
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
	 * @param method the method
	 * @param owner whose method it is
	 */
	static String of(Method method, Class<?> owner) {
		CRC32 crc = new CRC32();
		String signature = owner.getName() + "." + method.getName()
				+ Arrays.stream(method.getParameterTypes()).map(Class::getName).toList();
		crc.update(signature.getBytes(StandardCharsets.UTF_8));
		return ClassUtils.getShortName(owner) + "." + method.getName() + "-" + Long.toHexString(crc.getValue());
	}

}
