package io.github.lockboot.cache.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;

import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.autoconfigure.RelaxedNames;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.codec.ValueCodec;

/**
 * Selects the serializer of each cache. A {@link ValueCodec} bean that caches name is the
 * serializer of these; one that no cache names is that of all others.
 */
record CacheSerializers(ListableBeanFactory beanFactory, Map<String, CacheProperties.Named> caches) {

	void check() {
		this.caches.keySet().forEach(this::beanName);
	}

	CacheSettings add(CacheSettings settings, String cacheName) {
		String beanName = beanName(cacheName);
		return (beanName != null) ? settings.withSerializer(bean(beanName)) : settings;
	}

	/** Return the serializer of all caches that name none. */
	ValueCodec general() {
		Set<ValueCodec> named = this.caches.keySet()
			.stream()
			.flatMap((cacheName) -> Stream.ofNullable(beanName(cacheName)))
			.map(this::bean)
			.collect(Collectors.toSet());
		List<ValueCodec> others = this.beanFactory.getBeanProvider(ValueCodec.class)
			.stream()
			.filter((codec) -> !named.contains(codec))
			.toList();
		return switch (others.size()) {
			case 0 -> json();
			case 1 -> others.get(0);
			default -> this.beanFactory.getBean(ValueCodec.class);
		};
	}

	private @Nullable String beanName(String cacheName) {
		CacheProperties.Named named = RelaxedNames.find(this.caches, cacheName);
		String beanName = (named != null) ? named.serializer() : null;
		if (beanName != null && !(this.beanFactory.containsBean(beanName)
				&& this.beanFactory.isTypeMatch(beanName, ValueCodec.class))) {
			String names = String.join(", ", this.beanFactory.getBeanNamesForType(ValueCodec.class));
			throw new LockSetupException(
					"The property lock.cache.caches[" + cacheName + "].serializer names '" + beanName
							+ "', which is not a ValueCodec bean.",
					"Define a ValueCodec bean of that name, or name one of these: "
							+ (names.isEmpty() ? "(there is none)" : names) + ".");
		}
		return beanName;
	}

	private ValueCodec bean(String beanName) {
		return this.beanFactory.getBean(beanName, ValueCodec.class);
	}

	private static ValueCodec json() {
		try {
			return ValueCodec.json();
		}
		catch (IllegalStateException ex) {
			throw new LockSetupException(ex.getMessage() + ".",
					"Add tools.jackson.core:jackson-databind, for example by spring-boot-starter-jackson (before Spring Boot 4"
							+ " spring-boot-starter-json), define a ValueCodec bean, or set lock.cache.enabled=false to run methods"
							+ " with @RedisCache uncached.");
		}
	}

}
