package io.github.lockboot.aop;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.Internal;

/**
 * Finds the annotations of a method: on the method of the target class, then on the
 * methods that it overrides or implements, then on the types of the target. Thread-safe.
 *
 * @param <D> what the annotations of a method declare
 */
@Internal
public final class DeclarationFinder<D> {

	private final Set<String> annotations;

	private final BiFunction<MergedAnnotations, Method, @Nullable D> reader;

	/** Whether a type or one of its supertypes has one of the annotations anywhere. */
	private final Map<Class<?>, Boolean> annotatedTypes = new ConcurrentHashMap<>();

	/**
	 * Create a finder.
	 * @param annotations names of the annotations, including the containers of repeated
	 * annotations; the names load no class
	 * @param reader reads the annotations of a method, or returns {@code null}
	 */
	public DeclarationFinder(Collection<String> annotations,
			BiFunction<MergedAnnotations, Method, @Nullable D> reader) {
		this.annotations = Set.copyOf(annotations);
		this.reader = reader;
	}

	/** Find the annotations of a method. */
	public @Nullable D find(Method method, Class<?> targetClass) {
		Class<?> userClass = ClassUtils.getUserClass(targetClass);
		Method specific = isGenerated(userClass) ? ofInterface(method)
				: AopUtils.getMostSpecificMethod(method, userClass);
		for (Method called : KotlinBridges.calledBy(specific)) {
			D found = find(called, targetClass);
			if (found != null) {
				return found;
			}
		}
		D found = read(specific, specific);
		if (found == null && specific != method) {
			found = read(method, specific);
		}
		if (found == null && specific.getDeclaringClass() != userClass) {
			found = onInterfaces(specific, specific, userClass);
		}
		if (found == null) {
			found = KotlinBridges.to(specific)
				.map((bridge) -> onInterfaces(bridge, specific, userClass))
				.filter(Objects::nonNull)
				.findFirst()
				.orElse(null);
		}
		return (found == null && standsForType(specific)) ? read(userClass, specific) : found;
	}

	/**
	 * Return whether the methods of a class have neither annotations nor names of
	 * parameters.
	 */
	private static boolean isGenerated(Class<?> type) {
		return Proxy.isProxyClass(type) || type.isHidden();
	}

	/** Return the method of the interface that a lambda implements. */
	private static Method ofInterface(Method method) {
		Class<?> type = method.getDeclaringClass();
		Class<?> owner = isGenerated(type) ? MethodNames.owner(method, type) : type;
		Method declared = ClassUtils.getMethodIfAvailable(owner, method.getName(), method.getParameterTypes());
		return (declared != null) ? declared : method;
	}

	/**
	 * Find the annotations on interfaces. A method may implement an interface that only a
	 * subclass of its class declares.
	 */
	private @Nullable D onInterfaces(Method implementing, Method method, Class<?> userClass) {
		for (Class<?> type : ClassUtils.getAllInterfacesForClassAsSet(userClass)) {
			Method declared = ClassUtils.getMethodIfAvailable(type, implementing.getName(),
					implementing.getParameterTypes());
			D found = (declared != null) ? read(declared, method) : null;
			if (found != null) {
				return found;
			}
		}
		return null;
	}

	private static boolean standsForType(Method method) {
		return Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
				&& !ReflectionUtils.isObjectMethod(method) && !isOfProxy(method.getDeclaringClass().getName());
	}

	/** Return whether a type is an interface that only proxies have. */
	private static boolean isOfProxy(String type) {
		return type.startsWith("org.springframework.aop.") || type.startsWith("org.springframework.cglib.")
				|| type.equals("org.springframework.core.DecoratingProxy");
	}

	private @Nullable D read(AnnotatedElement place, Method method) {
		return this.reader.apply(MergedAnnotations.from(place, SearchStrategy.TYPE_HIERARCHY), method);
	}

	/**
	 * Return whether a type may have annotated methods: one of the annotations is on the
	 * type or one of its methods, a superclass or an interface, also as part of another
	 * annotation. Each type is searched once, so that most beans need no search of the
	 * hierarchy for each of their methods.
	 */
	public boolean isCandidate(@Nullable Class<?> type) {
		if (type == null || type.getName().startsWith("java.")) {
			return false;
		}
		Boolean annotated = this.annotatedTypes.get(type);
		if (annotated == null) {
			annotated = declaresAny(type) || isCandidate(type.getSuperclass())
					|| Stream.of(type.getInterfaces()).anyMatch(this::isCandidate)
					|| KotlinFunctions.companion(type).anyMatch(this::isCandidate);
			this.annotatedTypes.put(type, annotated);
		}
		return annotated;
	}

	/**
	 * Return whether a type declares an annotation, or has methods that cannot be read:
	 * the search for annotations reports why.
	 */
	private boolean declaresAny(Class<?> type) {
		try {
			return isAnnotated(type) || Stream.of(ReflectionUtils.getDeclaredMethods(type)).anyMatch(this::isAnnotated);
		}
		catch (IllegalStateException | NoClassDefFoundError ex) {
			return true;
		}
	}

	/**
	 * Return whether an element has an annotation. Most elements have none, and Spring
	 * would cache that for each of them.
	 */
	private boolean isAnnotated(AnnotatedElement element) {
		if (element.getDeclaredAnnotations().length == 0) {
			return false;
		}
		MergedAnnotations found = MergedAnnotations.from(element);
		return this.annotations.stream().anyMatch(found::isPresent);
	}

	/** Find the annotated methods of a type. */
	public Map<Method, D> findAll(Class<?> type) {
		MetadataLookup<D> lookup = (method) -> find(method, type);
		return isCandidate(type) ? MethodIntrospector.selectMethods(type, lookup) : Map.of();
	}

	/** Find the annotated methods of all beans, without creating a bean. */
	public List<AnnotatedMethod<D>> findAll(ConfigurableListableBeanFactory beanFactory) {
		return AnnotatedMethod.find(beanFactory, this::isCandidate, this::find)
			.sorted(Comparator.comparing(AnnotatedMethod::describe))
			.toList();
	}

}
