package io.github.lockboot.aop.lock;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.aop.AnnotationText;
import io.github.lockboot.aop.DeclarationFinder;

/**
 * Finds the method that a fallback names and checks that this method can replace the
 * locked one. No bean is created before the fallback is called.
 */
record FallbackFinder(ConfigurableListableBeanFactory beanFactory, DeclarationFinder<LockDeclaration> declarations,
		StringValueResolver placeholders, BooleanSupplier woven) {

	private static final String BEAN_SEPARATOR = "::";

	/**
	 * Find a fallback: a method of the same object, called without its proxy, or of
	 * another bean.
	 * @throws IllegalArgumentException if no method or more than one fits, if the
	 * fallback is the locked method itself or leads back to it, or if the fallback has a
	 * lock that its call would not acquire
	 */
	NotAcquiredHandler find(String text, Method method, Class<?> userClass) {
		Found found = locate(text, method, userClass);
		checkEnds(text, found, method);
		if (found.bean() == null) {
			checkUnlocked(text, found);
		}
		return (call, reason) -> call(found, call, reason);
	}

	private @Nullable Object call(Found fallback, MethodInvocation call, LockNotAcquiredException reason)
			throws Throwable {
		Method method = fallback.method();
		@Nullable Object[] arguments = call.getArguments();
		@Nullable Object[] passed = Arrays.copyOf(arguments, method.getParameterCount());
		if (passed.length > arguments.length) {
			passed[arguments.length] = reason;
		}
		if (fallback.bean() == null) {
			return AopUtils.invokeJoinpointUsingReflection(call.getThis(), method, passed);
		}
		Object bean = this.beanFactory.getBean(fallback.bean());
		return AopUtils.invokeJoinpointUsingReflection(bean, AopUtils.selectInvocableMethod(method, bean.getClass()),
				passed);
	}

	private Found locate(String text, Method method, Class<?> userClass) {
		int separator = text.indexOf(BEAN_SEPARATOR);
		if (separator < 0) {
			return new Found(single(text, text, new Signature(method, userClass, false), userClass), userClass, null);
		}
		String beanName = text.substring(0, separator).trim();
		String name = text.substring(separator + BEAN_SEPARATOR.length()).trim();
		Class<?> type = typeOf(beanName, text);
		return new Found(single(text, name, new Signature(method, userClass, true), type), targetOf(beanName, type),
				beanName);
	}

	/** Check that a call does not loop forever if all locks stay busy. */
	private void checkEnds(String text, Found fallback, Method method) {
		Assert.isTrue(!fallback.called().equals(method),
				() -> "its fallback '" + text + "' is the method itself: name a method that needs no such lock");
		Set<Method> passed = new HashSet<>();
		Found next = fallback;
		while (next != null && passed.add(next.called())) {
			next = nextAfter(next);
			Assert.isTrue(next == null || !next.called().equals(method), () -> "its fallback '" + text
					+ "' leads back to the method through other fallbacks: remove the lock of one of these methods");
		}
	}

	private @Nullable Found nextAfter(Found fallback) {
		LockDeclaration own = this.declarations.find(fallback.called(), fallback.type());
		try {
			String text = (own != null)
					? new AnnotationText(own.annotation(), this.placeholders, "it ").text("fallback") : "";
			return text.isEmpty() ? null : locate(text, fallback.called(), fallback.type());
		}
		catch (IllegalArgumentException ex) {
			return null; // reported for the method that has it
		}
	}

	/**
	 * Check that a fallback needs no lock of its own, because a method of the same object
	 * is called without its proxy.
	 */
	private void checkUnlocked(String text, Found found) {
		LockDeclaration own = this.woven.getAsBoolean() ? null : this.declarations.find(found.method(), found.type());
		Assert.isTrue(own == null,
				() -> "its fallback '" + text + "' has a lock of its own, by " + Objects.requireNonNull(own).written()
						+ ", which a call within the object does not acquire: write bean::" + text
						+ " with the name of its bean, or remove the lock of the fallback");
	}

	private Class<?> targetOf(String beanName, Class<?> type) {
		Class<?> target = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
		return (target != null) ? ClassUtils.getUserClass(target) : type;
	}

	private Class<?> typeOf(String beanName, String text) {
		Class<?> type = this.beanFactory.containsBean(beanName) ? this.beanFactory.getType(beanName) : null;
		Assert.isTrue(type != null, () -> "its fallback '" + text + "' does not name a bean");
		return ClassUtils.getUserClass(type);
	}

	private static Method single(String text, String name, Signature signature, Class<?> type) {
		List<Method> named = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(type))
			.filter((method) -> method.getName().equals(name) && !method.isBridge())
			.toList();
		List<Method> fitting = named.stream().filter((method) -> signature.problemOf(method) == null).toList();
		Assert.isTrue(fitting.size() <= 1, () -> "its fallback '" + text + "' is ambiguous, since several methods of "
				+ type.getName() + " fit: give these methods different names");
		Assert.isTrue(!fitting.isEmpty(), () -> {
			String reason = (named.size() == 1) ? signature.problemOf(named.get(0)) : null;
			return "its fallback '" + text + "' "
					+ ((reason != null) ? reason : "is not a method of " + type.getName() + " that takes " + signature);
		});
		return fitting.get(0);
	}

	/**
	 * A method that a fallback names.
	 *
	 * @param type class of the object on which the method is called
	 * @param bean name of the bean, or {@code null} for the object of the locked method
	 */
	private record Found(Method method, Class<?> type, @Nullable String bean) {

		/** Return the method of the object itself, behind a proxy of an interface. */
		Method called() {
			return AopUtils.getMostSpecificMethod(this.method, this.type);
		}

	}

	/**
	 * The signature that a fallback needs to replace a locked method.
	 */
	private record Signature(Method method, Class<?> userClass, boolean isPublic) {

		/** Return why a method cannot be the fallback. */
		@Nullable String problemOf(Method fallback) {
			if (this.isPublic && !Modifier.isPublic(fallback.getModifiers())) {
				return "is not public, and a fallback of another bean is called through its proxy: make it public";
			}
			if (!takesTheArguments(fallback)) {
				return "does not take " + this;
			}
			Class<?> result = resultOf(this.method, this.userClass);
			if (result != void.class
					&& !ClassUtils.isAssignable(result, resultOf(fallback, fallback.getDeclaringClass()))) {
				return "does not return " + result.getTypeName();
			}
			return Arrays.stream(fallback.getExceptionTypes()).allMatch(this::isAllowed) ? null
					: "throws a checked exception that the method does not declare";
		}

		private boolean takesTheArguments(Method fallback) {
			int count = this.method.getParameterCount();
			for (int i = 0; i < Math.min(count, fallback.getParameterCount()); i++) {
				Class<?> argument = ResolvableType.forMethodParameter(this.method, i, this.userClass).toClass();
				if (!ClassUtils.isAssignable(fallback.getParameterTypes()[i], argument)) {
					return false;
				}
			}
			return fallback.getParameterCount() == count
					|| (fallback.getParameterCount() == count + 1 && isReason(fallback.getParameterTypes()[count]));
		}

		private static boolean isReason(Class<?> type) {
			return Throwable.class.isAssignableFrom(type) && type.isAssignableFrom(LockNotAcquiredException.class);
		}

		private static Class<?> resultOf(Method method, Class<?> type) {
			return ResolvableType.forMethodReturnType(method, type).toClass();
		}

		private boolean isAllowed(Class<?> exception) {
			return ReflectionUtils.declaresException(this.method, exception)
					|| RuntimeException.class.isAssignableFrom(exception) || Error.class.isAssignableFrom(exception);
		}

		@Override
		public String toString() {
			String parameters = Arrays.stream(this.method.getParameterTypes())
				.map(Class::getSimpleName)
				.collect(Collectors.joining(", "));
			return "(" + parameters + ") or these and a " + LockNotAcquiredException.class.getSimpleName();
		}

	}

}
