package io.github.lockboot.aop;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;

class ProxyCheckTests {

	private final MethodInterceptor advice = MethodInvocation::proceed;

	private final ProxyCheck check = new ProxyCheck(this.advice, "lock", "locked");

	@Test
	void aProxyWithTheAdviceIsValid() {
		assertThat(problemOf(proxy(new Orders(), this.advice))).isNull();
	}

	@Test
	void aProxyWithAnotherAdviceIsInvalid() {
		assertThat(problemOf(proxy(new Orders(), MethodInvocation::proceed))).startsWith("is not locked");
	}

	@Test
	void aProxyAroundAProxyWithTheAdviceIsValid() {
		assertThat(problemOf(proxy(proxy(new Orders(), this.advice), MethodInvocation::proceed))).isNull();
	}

	@Test
	void aBeanWithoutAProxyIsInvalid() {
		assertThat(problemOf(new Orders())).contains("bean 'orders' is not proxied");
	}

	@Test
	void aMockNeedsNoProxy() {
		assertThat(problemOf(mock(Orders.class))).isNull();
	}

	@Test
	void aSpyNeedsAProxyBecauseItRunsTheMethodOfItsBean() {
		assertThat(problemOf(spy(new Orders()))).contains("bean 'orders' is not proxied");
	}

	@Test
	void aProxiedSpyIsValid() {
		assertThat(problemOf(proxy(spy(new Orders()), this.advice))).isNull();
	}

	private @Nullable String problemOf(Object bean) {
		Method pay = ClassUtils.getMethod(Orders.class, "pay");
		return this.check.problemOf(new AnnotatedMethod<>("orders", Orders.class, bean, pay, ""));
	}

	private static Object proxy(Object target, MethodInterceptor advice) {
		ProxyFactory factory = new ProxyFactory(target);
		factory.setProxyTargetClass(true);
		factory.addAdvice(advice);
		return factory.getProxy();
	}

	static class Orders {

		public void pay() {
		}

	}

}
