package io.github.lockboot.advice;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Tells a mock in an application's test, which has no body to guard, from a bean. A spy
 * has the body of its bean.
 */
final class MockedBean {

	private static final String MOCKITO = "org.mockito.Mockito";

	private MockedBean() {
	}

	static boolean isMock(Object bean) {
		ClassLoader classLoader = MockedBean.class.getClassLoader();
		if (!ClassUtils.isPresent(MOCKITO, classLoader)) {
			return false;
		}
		Class<?> mockito = ClassUtils.resolveClassName(MOCKITO, classLoader);
		Method mockingDetails = ClassUtils.getMethod(mockito, "mockingDetails", Object.class);
		Object details = ReflectionUtils.invokeMethod(mockingDetails, null, bean);
		Class<?> type = mockingDetails.getReturnType();
		return ask(type, details, "isMock") && !ask(type, details, "isSpy");
	}

	private static boolean ask(Class<?> type, @Nullable Object details, String question) {
		return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(ClassUtils.getMethod(type, question), details));
	}

}
