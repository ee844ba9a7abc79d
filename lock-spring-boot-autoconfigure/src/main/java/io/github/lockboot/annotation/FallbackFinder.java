package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the method that a fallback names, and makes sure that it can stand for the locked
 * one. Makes no bean.
 */
final class FallbackFinder {

	private static final String BEAN_SEPARATOR = "::";

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockDeclarationFinder declarations;

	private final BooleanSupplier woven;

	FallbackFinder(ConfigurableListableBeanFactory beanFactory, LockDeclarationFinder declarations,
			BooleanSupplier woven) {
		this.beanFactory = beanFactory;
		this.declarations = declarations;
		this.woven = woven;
	}

	/**
	 * Find a fallback.
	 * @param text name of a method of the same object, or {@code bean::method}
	 * @param method the locked method
	 * @param userClass class of the object that it is called on
	 * @throws IllegalArgumentException if there is no such method, or none that fits, or
	 * several; if it is the locked method itself, or has a lock that its call would not
	 * take
	 */
	Fallback find(String text, Method method, Class<?> userClass) {
		int separator = text.indexOf(BEAN_SEPARATOR);
		FallbackSignature signature = new FallbackSignature(method, userClass);
		if (separator < 0) {
			Method found = single(text, text, signature, userClass, false);
			checkOtherMethod(text, found, method);
			checkUnlocked(text, found, userClass);
			return new Fallback(found, null);
		}
		String beanName = text.substring(0, separator).trim();
		String name = text.substring(separator + BEAN_SEPARATOR.length()).trim();
		Class<?> type = typeOf(beanName, text);
		Method found = single(text, name, signature, type, true);
		checkOtherMethod(text, AopUtils.getMostSpecificMethod(found, targetOf(beanName, type)), method);
		return new Fallback(found, () -> this.beanFactory.getBean(beanName));
	}

	private static void checkOtherMethod(String text, Method found, Method method) {
		Assert.isTrue(!found.equals(method),
				() -> "its fallback '" + text + "' is the method itself: name a method that needs no such lock");
	}

	/** A method of the same object is called past its proxy. */
	private void checkUnlocked(String text, Method found, Class<?> userClass) {
		LockDeclaration own = this.woven.getAsBoolean() ? null : this.declarations.find(found, userClass);
		Assert.isTrue(own == null,
				() -> "its fallback '" + text + "' has a lock of its own, by " + Objects.requireNonNull(own).written()
						+ ", which a call within the object does not take: name it as" + " bean::" + text
						+ " with the name of its bean, or let it have no lock");
	}

	private Class<?> targetOf(String beanName, Class<?> type) {
		Class<?> target = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
		return (target != null) ? ClassUtils.getUserClass(target) : type;
	}

	private Class<?> typeOf(String beanName, String text) {
		Class<?> type = this.beanFactory.containsBean(beanName) ? this.beanFactory.getType(beanName) : null;
		Assert.isTrue(type != null, () -> "its fallback '" + text + "' names no bean");
		return ClassUtils.getUserClass(type);
	}

	private static Method single(String text, String name, FallbackSignature signature, Class<?> type,
			boolean isPublic) {
		List<Method> named = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
			.filter((method) -> method.getName().equals(name) && !method.isBridge())
			.toList();
		List<Method> callable = named.stream()
			.filter((method) -> !isPublic || Modifier.isPublic(method.getModifiers()))
			.toList();
		Assert.isTrue(named.isEmpty() || !callable.isEmpty(), () -> "its fallback '" + text
				+ "' is not public, and a fallback of another bean is called through its proxy: make it public");
		List<Method> fitting = callable.stream().filter((method) -> signature.problemOf(method) == null).toList();
		Assert.isTrue(fitting.size() <= 1, () -> "its fallback '" + text + "' is not clear, several methods of "
				+ type.getName() + " fit: give them different names");
		Assert.isTrue(!fitting.isEmpty(), () -> problem(text, signature, type, callable));
		return fitting.get(0);
	}

	private static String problem(String text, FallbackSignature signature, Class<?> type, List<Method> named) {
		@Nullable String reason = (named.size() == 1) ? signature.problemOf(named.get(0)) : null;
		return "its fallback '" + text + "' "
				+ ((reason != null) ? reason : "is not a method of " + type.getName() + " that takes " + signature);
	}

}
