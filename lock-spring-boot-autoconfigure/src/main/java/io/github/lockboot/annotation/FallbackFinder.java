package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the method that a fallback names, and makes sure that it can stand for the locked
 * one. Makes no bean.
 */
final class FallbackFinder {

	private static final String BEAN_SEPARATOR = "::";

	private final BeanFactory beanFactory;

	FallbackFinder(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Find a fallback.
	 * @param text name of a method of the same object, or {@code bean::method}
	 * @param method the locked method
	 * @param userClass class of the object that it is called on
	 * @throws IllegalArgumentException if there is no such method, or none that fits, or
	 * several
	 */
	Fallback find(String text, Method method, Class<?> userClass) {
		int separator = text.indexOf(BEAN_SEPARATOR);
		if (separator < 0) {
			return new Fallback(single(text, new FallbackSignature(method, userClass), userClass, false), null);
		}
		String beanName = text.substring(0, separator).trim();
		String name = text.substring(separator + BEAN_SEPARATOR.length()).trim();
		Method found = single(name, new FallbackSignature(method, userClass), typeOf(beanName, text), true);
		return new Fallback(found, () -> this.beanFactory.getBean(beanName));
	}

	private Class<?> typeOf(String beanName, String text) {
		Class<?> type = this.beanFactory.containsBean(beanName) ? this.beanFactory.getType(beanName) : null;
		Assert.isTrue(type != null, () -> "its fallback '" + text + "' names no bean");
		return ClassUtils.getUserClass(type);
	}

	private static Method single(String name, FallbackSignature signature, Class<?> type, boolean isPublic) {
		List<Method> named = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
			.filter((method) -> method.getName().equals(name) && !method.isBridge())
			.filter((method) -> !isPublic || Modifier.isPublic(method.getModifiers()))
			.toList();
		List<Method> fitting = named.stream().filter((method) -> signature.problemOf(method) == null).toList();
		Assert.isTrue(fitting.size() <= 1, () -> "its fallback '" + name + "' is not clear, several methods of "
				+ type.getName() + " fit: give them different names");
		Assert.isTrue(!fitting.isEmpty(), () -> problem(name, signature, type, named));
		return fitting.get(0);
	}

	private static String problem(String name, FallbackSignature signature, Class<?> type, List<Method> named) {
		@Nullable String reason = (named.size() == 1) ? signature.problemOf(named.get(0)) : null;
		return "its fallback '" + name + "' "
				+ ((reason != null) ? reason : "is not a method of " + type.getName() + " that takes " + signature);
	}

}
