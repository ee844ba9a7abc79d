package io.github.lockboot.cache.redis;

import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;

import io.github.lockboot.cache.protocol.CacheStore;

/**
 * A store that passes its calls to an interceptor first.
 */
final class InterceptedStore {

	private InterceptedStore() {
	}

	static CacheStore around(CacheStore store, MethodInterceptor interceptor) {
		ProxyFactory factory = new ProxyFactory();
		factory.setTarget(store);
		factory.setProxyTargetClass(true);
		factory.addAdvice(interceptor);
		return (CacheStore) factory.getProxy();
	}

}
