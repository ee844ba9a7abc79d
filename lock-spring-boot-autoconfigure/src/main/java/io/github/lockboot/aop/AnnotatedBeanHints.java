package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

import io.github.lockboot.Internal;

/**
 * What the annotated methods of a bean need by reflection in a native image: the
 * annotations, also those that are made of ours, the methods, the properties of their
 * arguments, and the methods of beans that an annotation names.
 *
 * @param <D> what the annotations of one method declare
 * @since 1.0.0
 */
@Internal
public abstract class AnnotatedBeanHints<D> implements BeanRegistrationAotProcessor {

	private static final Pattern BEAN = Pattern.compile("@(\\w+)|(\\w+)\\s*::");

	private static final BindingReflectionHintsRegistrar PROPERTIES = new BindingReflectionHintsRegistrar();

	private final DeclarationFinder<D> finder;

	protected AnnotatedBeanHints(DeclarationFinder<D> finder) {
		this.finder = finder;
	}

	/** Return the annotations of a method. */
	protected abstract Stream<? extends MergedAnnotation<?>> annotations(D declaration);

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> type = bean.getBeanClass();
		if (!this.finder.isCandidate(type)) {
			return null;
		}
		MetadataLookup<D> lookup = (method) -> this.finder.find(method, type);
		Map<Method, D> found = MethodIntrospector.selectMethods(type, lookup);
		return found.isEmpty() ? null : new Contribution(type, found, bean.getBeanFactory());
	}

	/** Register more than every annotated method needs. */
	protected void registerMore(ReflectionHints hints, Method method) {
	}

	private final class Contribution implements BeanRegistrationAotContribution {

		private final Class<?> type;

		private final Map<Method, D> methods;

		private final ConfigurableListableBeanFactory beanFactory;

		Contribution(Class<?> type, Map<Method, D> methods, ConfigurableListableBeanFactory beanFactory) {
			this.type = type;
			this.methods = methods;
			this.beanFactory = beanFactory;
		}

		@Override
		public void applyTo(GenerationContext generationContext, BeanRegistrationCode beanRegistrationCode) {
			ReflectionHints hints = generationContext.getRuntimeHints().reflection();
			hints.registerType(this.type, MemberCategory.INVOKE_DECLARED_METHODS);
			this.methods.forEach((method, declaration) -> {
				hints.registerMethod(method, ExecutableMode.INVOKE);
				PROPERTIES.registerReflectionHints(hints, method.getGenericParameterTypes());
				registerMore(hints, method);
				annotations(declaration).forEach((annotation) -> register(hints, annotation));
			});
		}

		private void register(ReflectionHints hints, MergedAnnotation<?> annotation) {
			for (MergedAnnotation<?> each = annotation; each != null; each = each.getMetaSource()) {
				hints.registerType(each.getType(), MemberCategory.INVOKE_DECLARED_METHODS);
			}
			BEAN.matcher(annotation.asMap().values().toString())
				.results()
				.map((match) -> (match.group(1) != null) ? match.group(1) : match.group(2))
				.forEach((name) -> registerBean(hints, name));
		}

		private void registerBean(ReflectionHints hints, String name) {
			Class<?> type = this.beanFactory.containsBean(name) ? this.beanFactory.getType(name) : null;
			if (type != null) {
				hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS, MemberCategory.INVOKE_DECLARED_METHODS);
			}
		}

	}

}
