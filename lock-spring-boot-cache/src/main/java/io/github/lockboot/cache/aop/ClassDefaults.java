package io.github.lockboot.cache.aop;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

import io.github.lockboot.aop.AnnotationText;
import io.github.lockboot.cache.RedisCacheConfig;

/**
 * The {@link RedisCacheConfig @RedisCacheConfig} of a class, or the nearest one of a
 * superclass or an interface.
 */
record ClassDefaults(Class<?> targetClass, String name, String keyGenerator) {

	static ClassDefaults of(Class<?> targetClass, StringValueResolver placeholders) {
		return MergedAnnotations.from(targetClass, SearchStrategy.TYPE_HIERARCHY)
			.stream(RedisCacheConfig.class)
			.findFirst()
			.map((found) -> new ClassDefaults(targetClass,
					AnnotationText.resolve(found.getString("name"), placeholders),
					AnnotationText.resolve(found.getString("keyGenerator"), placeholders)))
			.orElseGet(() -> new ClassDefaults(targetClass, "", ""));
	}

	/**
	 * Return the name of the cache for a method that reads one, or empty.
	 * @throws IllegalArgumentException if another method would silently share its entries
	 */
	String nameFor(Method reader) {
		if (this.name.isEmpty()) {
			return this.name;
		}
		CacheDeclaration.finder().findAll(this.targetClass).values().forEach((other) -> {
			Assert.isTrue(!other.readsWithoutName() || other.method().equals(reader),
					() -> "takes its name '" + this.name + "' from @RedisCacheConfig, and so does " + other.describe()
							+ ", so that they would share entries: give each @RedisCache a name");
		});
		return this.name;
	}

	/**
	 * Return the name of a cache without one: the same in every JVM, and different for
	 * each method of each class of beans, including inherited methods.
	 */
	static String defaultName(Method method, Class<?> owner) {
		CRC32 crc = new CRC32();
		String signature = owner.getName() + "." + method.getName()
				+ Arrays.stream(method.getParameterTypes()).map(Class::getName).toList();
		crc.update(signature.getBytes(StandardCharsets.UTF_8));
		return ClassUtils.getShortName(owner) + "." + method.getName() + "-" + Long.toHexString(crc.getValue());
	}

}
