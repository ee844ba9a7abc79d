package io.github.lockboot.cache.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.autoconfigure.RedisFeature;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.codec.ValueCodecs;

/**
 * Who writes the values of which cache. A {@link ValueCodec} bean that a cache names
 * serves those that name it; one that none names serves all others.
 */
final class CacheSerializers implements SmartInitializingSingleton {

	private final ListableBeanFactory beanFactory;

	private final Map<String, CacheProperties.Named> caches;

	CacheSerializers(ListableBeanFactory beanFactory, CacheProperties properties) {
		this.beanFactory = beanFactory;
		this.caches = properties.getCaches();
	}

	/** What nobody can find is told at the start, and not by the first call. */
	@Override
	public void afterSingletonsInstantiated() {
		this.caches.keySet().forEach(this::beanName);
	}

	/** Return the settings of a cache with its serializer. */
	CacheSettings add(CacheSettings settings, String cacheName) {
		String beanName = beanName(cacheName);
		return (beanName != null) ? settings.withSerializer(bean(beanName)) : settings;
	}

	/**
	 * Return the codec of all caches that name none.
	 * @throws LockSetupException if there is nothing to write values with
	 */
	ValueCodec general(ObjectProvider<ValueCodec> codecs) {
		Set<ValueCodec> named = this.caches.keySet()
			.stream()
			.flatMap((cacheName) -> Stream.ofNullable(beanName(cacheName)))
			.map(this::bean)
			.collect(Collectors.toSet());
		List<ValueCodec> others = codecs.stream().filter((codec) -> !named.contains(codec)).toList();
		return switch (others.size()) {
			case 0 -> json();
			case 1 -> others.get(0);
			default -> codecs.getObject();
		};
	}

	private @Nullable String beanName(String cacheName) {
		CacheProperties.Named named = this.caches.get(cacheName);
		String beanName = (named != null) ? named.getSerializer() : null;
		if (beanName != null && !isSerializer(beanName)) {
			String names = String.join(", ", this.beanFactory.getBeanNamesForType(ValueCodec.class));
			throw new LockSetupException(
					"The property lock.cache.caches[" + cacheName + "].serializer names '" + beanName
							+ "', which is no ValueCodec bean.",
					"Define a ValueCodec bean of that name, or name one of these: "
							+ (names.isEmpty() ? "(there is none)" : names) + ".");
		}
		return beanName;
	}

	private boolean isSerializer(String beanName) {
		return this.beanFactory.containsBean(beanName) && this.beanFactory.isTypeMatch(beanName, ValueCodec.class);
	}

	private ValueCodec bean(String beanName) {
		return this.beanFactory.getBean(beanName, ValueCodec.class);
	}

	private static ValueCodec json() {
		try {
			return ValueCodecs.json();
		}
		catch (IllegalStateException ex) {
			throw new LockSetupException(ex.getMessage() + ".",
					"Add tools.jackson.core:jackson-databind, for example by spring-boot-starter-jackson, define a ValueCodec"
							+ " bean, or " + RedisFeature.CACHE.alternative() + ".");
		}
	}

}
