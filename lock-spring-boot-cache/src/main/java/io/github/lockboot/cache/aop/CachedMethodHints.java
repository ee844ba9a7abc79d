package io.github.lockboot.cache.aop;

import java.lang.reflect.Method;
import java.util.stream.Stream;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.MergedAnnotation;

import io.github.lockboot.aop.AnnotatedBeanHints;
import io.github.lockboot.cache.RedisCacheConfig;

/**
 * Registers what cached methods need by reflection in a native image, also to write their
 * results to Redis and to read them.
 */
final class CachedMethodHints extends AnnotatedBeanHints<CacheDeclaration> {

	private final BindingReflectionHintsRegistrar results = new BindingReflectionHintsRegistrar();

	CachedMethodHints() {
		super(CacheDeclaration.finder(),
				Stream.concat(CacheDeclaration.ANNOTATIONS.stream(), Stream.of(RedisCacheConfig.class.getName()))
					.toList());
	}

	@Override
	protected Stream<MergedAnnotation<?>> annotations(CacheDeclaration declaration) {
		return declaration.annotations();
	}

	@Override
	protected void registerMore(ReflectionHints hints, Method method) {
		this.results.registerReflectionHints(hints, new MethodParameter(method, -1).getGenericParameterType());
	}

}
