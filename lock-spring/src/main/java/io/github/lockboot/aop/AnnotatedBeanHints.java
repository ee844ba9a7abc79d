package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.MergedAnnotation;

import io.github.lockboot.Internal;

/**
 * Registers what the annotated methods of a bean need through reflection in a native
 * image: the annotations and their meta-annotations, the methods, the properties of their
 * arguments, and the methods of beans that an annotation names.
 *
 * @param <D> what the annotations of a method declare
 */
@Internal
public abstract class AnnotatedBeanHints<D> implements BeanRegistrationAotProcessor, RuntimeHintsRegistrar {

	private static final Pattern BEAN = Pattern.compile("@(\\w+)|(\\w+)\\s*::");

	private static final List<String> OPTIONAL = List.of("kotlinx.coroutines.reactor.MonoKt",
			"org.springframework.transaction.interceptor.BeanFactoryTransactionAttributeSourceAdvisor",
			"reactor.core.publisher.Flux");

	private static final BindingReflectionHintsRegistrar PROPERTIES = new BindingReflectionHintsRegistrar();

	private final DeclarationFinder<D> finder;

	private final Function<D, Stream<MergedAnnotation<?>>> annotations;

	private final Collection<String> types;

	protected AnnotatedBeanHints(DeclarationFinder<D> finder, Function<D, Stream<MergedAnnotation<?>>> annotations,
			Collection<String> types) {
		this.finder = finder;
		this.annotations = annotations;
		this.types = types;
	}

	/** Register the additional hints of a method. */
	protected void registerMore(ReflectionHints hints, Method method) {
	}

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		this.types.forEach((type) -> hints.reflection()
			.registerType(TypeReference.of(type), MemberCategory.INVOKE_DECLARED_METHODS));
		registerOptional(OPTIONAL, hints, classLoader);
		KotlinFunctions.REFLECTED.forEach((type) -> hints.reflection()
			.registerTypeIfPresent(classLoader, type, MemberCategory.INVOKE_PUBLIC_METHODS));
	}

	/**
	 * Register types whose presence is checked by their names: a native image would find
	 * them absent.
	 */
	protected static void registerOptional(List<String> types, RuntimeHints hints, @Nullable ClassLoader classLoader) {
		types.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
	}

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Map<Method, D> methods = this.finder.findAll(bean.getBeanClass());
		if (methods.isEmpty()) {
			return null;
		}
		return (generationContext, code) -> {
			ReflectionHints hints = generationContext.getRuntimeHints().reflection();
			hints.registerType(bean.getBeanClass(), MemberCategory.INVOKE_DECLARED_METHODS);
			methods.forEach((method, declaration) -> {
				hints.registerMethod(method, ExecutableMode.INVOKE);
				PROPERTIES.registerReflectionHints(hints, method.getGenericParameterTypes());
				registerMore(hints, method);
				this.annotations.apply(declaration)
					.forEach((annotation) -> register(hints, annotation, bean.getBeanFactory()));
			});
		};
	}

	private static void register(ReflectionHints hints, MergedAnnotation<?> annotation, BeanFactory beanFactory) {
		for (MergedAnnotation<?> each = annotation; each != null; each = each.getMetaSource()) {
			hints.registerType(each.getType(), MemberCategory.INVOKE_DECLARED_METHODS);
			BEAN.matcher(each.asMap().values().toString())
				.results()
				.map((match) -> (match.group(1) != null) ? match.group(1) : match.group(2))
				.filter(beanFactory::containsBean)
				.map(beanFactory::getType)
				.filter(Objects::nonNull)
				.forEach((type) -> hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS,
						MemberCategory.INVOKE_DECLARED_METHODS));
		}
	}

}
