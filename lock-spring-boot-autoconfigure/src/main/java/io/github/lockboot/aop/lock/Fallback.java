package io.github.lockboot.aop.lock;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.LockNotAcquiredException;

/**
 * Calls another method instead: of the same object, not through its proxy, or of another
 * bean.
 */
final class Fallback implements NotAcquiredHandler {

	private final Method method;

	private final @Nullable Supplier<Object> bean;

	/**
	 * Create a fallback.
	 * @param method what to call
	 * @param bean the bean to call it on; {@code null} for the target of the call
	 */
	Fallback(Method method, @Nullable Supplier<Object> bean) {
		this.method = method;
		this.bean = bean;
		ReflectionUtils.makeAccessible(method);
	}

	@Override
	public @Nullable Object answer(@Nullable Object target, @Nullable Object[] arguments,
			LockNotAcquiredException reason) throws Throwable {
		@Nullable Object[] passed = Arrays.copyOf(arguments, this.method.getParameterCount());
		if (passed.length > arguments.length) {
			passed[arguments.length] = reason;
		}
		Object bean = (this.bean != null) ? this.bean.get() : null;
		return (bean != null) ? call(AopUtils.selectInvocableMethod(this.method, bean.getClass()), bean, passed)
				: call(this.method, target, passed);
	}

	private static @Nullable Object call(Method method, @Nullable Object target, @Nullable Object[] arguments)
			throws Throwable {
		try {
			return method.invoke(target, arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

}
