package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.aot.BeanRegistrationCode;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.MergedAnnotation;

/**
 * What the annotated methods of one bean need by reflection in a native image: the
 * methods themselves, the properties of their arguments for the keys, the methods of
 * beans that a key or a fallback names, and annotations that are made of ours.
 */
final class LockedBeanHints implements BeanRegistrationAotProcessor {

	private static final Pattern BEAN = Pattern.compile("@(\\w+)");

	private static final String FALLBACK_SEPARATOR = "::";

	private final LockDeclarationFinder finder = new LockDeclarationFinder();

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> type = bean.getBeanClass();
		if (!this.finder.isCandidate(type)) {
			return null;
		}
		MetadataLookup<LockDeclaration> lookup = (method) -> this.finder.find(method, type);
		Map<Method, LockDeclaration> locked = MethodIntrospector.selectMethods(type, lookup);
		return locked.isEmpty() ? null : new Contribution(type, locked, bean.getBeanFactory());
	}

	private record Contribution(Class<?> type, Map<Method, LockDeclaration> locked,
			ConfigurableListableBeanFactory beanFactory) implements BeanRegistrationAotContribution {

		private static final BindingReflectionHintsRegistrar PROPERTIES = new BindingReflectionHintsRegistrar();

		@Override
		public void applyTo(GenerationContext generationContext, BeanRegistrationCode beanRegistrationCode) {
			ReflectionHints hints = generationContext.getRuntimeHints().reflection();
			hints.registerType(this.type, MemberCategory.INVOKE_DECLARED_METHODS);
			this.locked.forEach((method, declaration) -> register(hints, method, declaration.annotation()));
		}

		private void register(ReflectionHints hints, Method method, MergedAnnotation<DistributedLock> annotation) {
			hints.registerMethod(method, ExecutableMode.INVOKE);
			PROPERTIES.registerReflectionHints(hints, method.getGenericParameterTypes());
			for (MergedAnnotation<?> each = annotation; each != null; each = each.getMetaSource()) {
				hints.registerType(each.getType(), MemberCategory.INVOKE_DECLARED_METHODS);
			}
			BEAN.matcher(annotation.getString("key") + annotation.getString("condition"))
				.results()
				.forEach((match) -> registerBean(hints, match.group(1)));
			String fallback = annotation.getString("fallback");
			if (fallback.contains(FALLBACK_SEPARATOR)) {
				registerBean(hints, fallback.substring(0, fallback.indexOf(FALLBACK_SEPARATOR)).trim());
			}
		}

		private void registerBean(ReflectionHints hints, String name) {
			Class<?> type = this.beanFactory.containsBean(name) ? this.beanFactory.getType(name) : null;
			if (type != null) {
				hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS, MemberCategory.INVOKE_DECLARED_METHODS);
			}
		}

	}

}
