package io.github.lockboot.cache.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.MergedAnnotation;

import io.github.lockboot.aop.AnnotatedBeanHints;
import io.github.lockboot.cache.RedisCacheConfig;

/**
 * Registers what cached methods need by reflection in a native image, also to write their
 * results to Redis and to read them.
 */
final class CachedMethodHints extends AnnotatedBeanHints<CacheDeclaration> implements RuntimeHintsRegistrar {

	private final BindingReflectionHintsRegistrar results = new BindingReflectionHintsRegistrar();

	CachedMethodHints() {
		super(CacheDeclaration.finder());
	}

	@Override
	protected Stream<MergedAnnotation<?>> annotations(CacheDeclaration declaration) {
		return declaration.annotations();
	}

	@Override
	protected void registerMore(ReflectionHints hints, Method method) {
		Type result = new MethodParameter(method, -1).getGenericParameterType();
		this.results.registerReflectionHints(hints, result);
	}

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		Stream.concat(CacheAdvisor.ANNOTATIONS.stream(), Stream.of(RedisCacheConfig.class.getName()))
			.forEach((name) -> hints.reflection()
				.registerType(TypeReference.of(name), MemberCategory.INVOKE_DECLARED_METHODS));
	}

}
