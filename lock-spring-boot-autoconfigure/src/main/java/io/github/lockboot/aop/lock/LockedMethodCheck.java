package io.github.lockboot.aop.lock;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;

import io.github.lockboot.LockException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.AnnotatedMethodSource;
import io.github.lockboot.aop.ProxyCheck;

/**
 * Finds out why a method would run without its lock, or fail at every call.
 */
final class LockedMethodCheck {

	static final String SUSPENDING = "is a suspend function, which can't be locked under weaving:"
			+ " set lock.aspect.mode=proxy, or return a Mono";

	private static final Set<String> LIFECYCLE = Set.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy");

	private final AnnotatedMethodSource<LockDeclaration, LockAttributes> attributes;

	private final LockTemplates templates;

	private final ProxyCheck proxies;

	private final boolean woven;

	LockedMethodCheck(AnnotatedMethodSource<LockDeclaration, LockAttributes> attributes, LockTemplates templates,
			ProxyCheck proxies, boolean woven) {
		this.attributes = attributes;
		this.templates = templates;
		this.proxies = proxies;
		this.woven = woven;
	}

	/** Return what is wrong with a method. */
	@Nullable String problemOf(AnnotatedMethod<LockDeclaration> locked) {
		String problem = this.woven ? problemOfWoven(locked.method()) : problemOfProxied(locked);
		return (problem != null) ? locked.describe() + " " + problem : problemOfAttributes(locked);
	}

	private @Nullable String problemOfProxied(AnnotatedMethod<LockDeclaration> locked) {
		String problem = this.proxies.problemOf(locked);
		if (problem == null && locked.declaration().isOnMethod() && isCalledByTheContainer(locked.method())) {
			return "is called by the container on the bean itself and not on its proxy, so that it would not be locked:"
					+ " move its work into a method of another bean";
		}
		return problem;
	}

	private static boolean isCalledByTheContainer(Method method) {
		return Arrays.stream(method.getAnnotations())
			.anyMatch((annotation) -> LIFECYCLE.contains(annotation.annotationType().getName()));
	}

	private static @Nullable String problemOfWoven(Method method) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			return SUSPENDING;
		}
		return isWoven(method) ? null
				: "is not woven: put the annotation on the method itself, or on its class, and let the class be loaded"
						+ " after the weaver was started";
	}

	/** The weaver moves the body into a static method beside it. */
	private static boolean isWoven(Method method) {
		return Arrays.stream(method.getDeclaringClass().getDeclaredMethods())
			.filter((other) -> other.getName().startsWith(method.getName() + "_aroundBody"))
			.anyMatch((other) -> Arrays.asList(other.getParameterTypes())
				.containsAll(Arrays.asList(method.getParameterTypes())));
	}

	private @Nullable String problemOfAttributes(AnnotatedMethod<LockDeclaration> locked) {
		try {
			LockAttributes attributes = this.attributes.find(locked.method(), locked.beanType());
			return (attributes != null) ? unsupported(locked, attributes) : null;
		}
		catch (LockException ex) {
			return ex.getMessage();
		}
	}

	/** Asks the template only about what some can't do: it may have to be made first. */
	private @Nullable String unsupported(AnnotatedMethod<LockDeclaration> locked, LockAttributes attributes) {
		LockRequest request = attributes.request();
		if (request.isExclusive() || request.isShared()) {
			return null;
		}
		try {
			this.templates.get(attributes.template()).requireSupported(request);
			return null;
		}
		catch (UnsupportedOperationException ex) {
			return locked.describe() + " would fail at every call: " + ex.getMessage()
					+ ", which the annotation names by 'template'";
		}
	}

}
