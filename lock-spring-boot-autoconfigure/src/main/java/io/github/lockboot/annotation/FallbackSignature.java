package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.LockNotAcquiredException;

/**
 * What a fallback must look like to stand for a locked method.
 *
 * @param method the locked method
 * @param userClass class of the object that it is called on
 */
record FallbackSignature(Method method, Class<?> userClass) {

	/**
	 * Return why a method can't be the fallback.
	 * @return the end of a sentence, or {@code null} if it can
	 */
	@Nullable String problemOf(Method fallback) {
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
