package io.github.lockboot.cache.aspect;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.aot.BeanRegistrationCode;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotationUtils;

import io.github.lockboot.cache.RedisCacheConfig;

/**
 * What a native image would leave out of beans with cached methods: the annotations and
 * the methods, what is written to Redis and read again, and the properties of arguments
 * for the keys.
 */
final class CachedBeanHints implements BeanRegistrationAotProcessor {

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> type = bean.getBeanClass();
		if (!AnnotationUtils.isCandidateClass(type, CacheDeclaration.TYPES)) {
			return null;
		}
		MetadataLookup<CacheDeclaration> lookup = (method) -> CacheDeclaration.find(method, type);
		Map<Method, CacheDeclaration> cached = MethodIntrospector.selectMethods(type, lookup);
		return cached.isEmpty() ? null : new Contribution(type, cached);
	}

	private record Contribution(Class<?> type,
			Map<Method, CacheDeclaration> cached) implements BeanRegistrationAotContribution {

		private static final BindingReflectionHintsRegistrar PROPERTIES = new BindingReflectionHintsRegistrar();

		@Override
		public void applyTo(GenerationContext generationContext, BeanRegistrationCode beanRegistrationCode) {
			ReflectionHints hints = generationContext.getRuntimeHints().reflection();
			hints.registerType(this.type, MemberCategory.INVOKE_DECLARED_METHODS);
			CacheDeclaration.TYPES
				.forEach((annotation) -> hints.registerType(annotation, MemberCategory.INVOKE_DECLARED_METHODS));
			hints.registerType(RedisCacheConfig.class, MemberCategory.INVOKE_DECLARED_METHODS);
			this.cached.keySet().forEach((method) -> register(hints, method));
		}

		private static void register(ReflectionHints hints, Method method) {
			hints.registerMethod(method, ExecutableMode.INVOKE);
			PROPERTIES.registerReflectionHints(hints, method.getGenericParameterTypes());
			Type result = new MethodParameter(method, -1).getGenericParameterType();
			PROPERTIES.registerReflectionHints(hints, result);
		}

	}

}
