package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.advice.ProxyCheck;

/**
 * Tells why a method would run without its lock, or fail at every call.
 */
final class LockedMethodCheck {

	private static final Set<String> LIFECYCLE = Set.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy");

	private final LockAttributesSource attributes;

	private final LockTemplates templates;

	private final ProxyCheck proxies;

	private final boolean woven;

	LockedMethodCheck(LockAttributesSource attributes, LockTemplates templates, DistributedLockInterceptor interceptor,
			boolean woven) {
		this.attributes = attributes;
		this.templates = templates;
		this.proxies = new ProxyCheck(interceptor, "lock", "locked");
		this.woven = woven;
	}

	/**
	 * Return what is wrong with a method.
	 * @return a sentence with the cure, or {@code null} if nothing is wrong
	 */
	@Nullable String problemOf(LockedMethod locked) {
		String problem = this.woven ? WovenMethodCheck.problemOf(locked) : problemOfProxied(locked);
		return (problem != null) ? locked.describe() + " " + problem : invalidAttributes(locked);
	}

	private @Nullable String problemOfProxied(LockedMethod locked) {
		String problem = problemOfDeclaration(locked);
		return (problem != null) ? problem : this.proxies.problemOfProxy(locked.bean(), locked.method());
	}

	private @Nullable String problemOfDeclaration(LockedMethod locked) {
		String problem = this.proxies.problemOfDeclaration(locked.method());
		if (problem != null) {
			return problem;
		}
		if (locked.isAnnotatedItself() && isCalledByTheContainer(locked.method())) {
			return "is called by the container on the bean itself and not on its proxy, so that it would not be locked:"
					+ " move its work into a method of another bean";
		}
		return null;
	}

	private static boolean isCalledByTheContainer(Method method) {
		return Arrays.stream(method.getAnnotations())
			.anyMatch((annotation) -> LIFECYCLE.contains(annotation.annotationType().getName()));
	}

	private @Nullable String invalidAttributes(LockedMethod locked) {
		try {
			LockAttributes attributes = this.attributes.find(locked.method(), locked.bean().type());
			return (attributes != null) ? unsupported(locked, attributes) : null;
		}
		catch (LockException ex) {
			return ex.getMessage();
		}
	}

	/** Asks the template only about what some can't do: it may have to be made first. */
	private @Nullable String unsupported(LockedMethod locked, LockAttributes attributes) {
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
