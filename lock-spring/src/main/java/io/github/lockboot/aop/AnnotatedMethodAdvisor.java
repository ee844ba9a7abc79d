package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.function.Predicate;

import org.aopalliance.aop.Advice;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * Applies an advice to annotated methods. An invalid annotation, or a class of which
 * there can be no proxy, does not matter here, because the check at startup reports all
 * of them together.
 *
 * @param <D> what the annotations of a method declare
 */
@Internal
@SuppressWarnings("serial")
public final class AnnotatedMethodAdvisor<D> extends StaticMethodMatcherPointcutAdvisor {

	private final DeclarationFinder<D> finder;

	private final Predicate<? super D> applies;

	/**
	 * Create an advisor.
	 * @param applies to which declarations the advisor applies
	 * @param order order of the advisor; an advisor with a lower order is outside
	 */
	public AnnotatedMethodAdvisor(DeclarationFinder<D> finder, Predicate<? super D> applies, Advice advice, int order,
			ConfigurableBeanFactory beanFactory) {
		super(advice);
		this.finder = finder;
		this.applies = applies;
		setClassFilter((type) -> finder.isCandidate(type) && !isWithoutProxy(type, beanFactory));
		setOrder(order);
	}

	/** Return whether the proxy would be a subclass of a final or sealed class. */
	private static boolean isWithoutProxy(Class<?> type, ConfigurableBeanFactory beanFactory) {
		return (Modifier.isFinal(type.getModifiers()) || type.isSealed()) && !Proxy.isProxyClass(type)
				&& !ClassUtils.isLambdaClass(type)
				&& (ClassUtils.getAllInterfacesForClass(type).length == 0 || (beanFactory
					.getSingleton(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME) instanceof ProxyConfig creator
						&& creator.isProxyTargetClass()));
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		D declaration = this.finder.find(method, targetClass);
		return declaration != null && this.applies.test(declaration);
	}

}
