package io.github.lockboot.aop.lock;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.asm.Type;

import io.github.lockboot.Internal;
import io.github.lockboot.LockException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.NoLockOperationsException;
import io.github.lockboot.aop.AnnotatedMethod;
import io.github.lockboot.aop.AnnotatedMethodSource;

/**
 * Findings about the annotated methods of an application.
 *
 * @since 1.0.0
 */
@Internal
public final class LockAnnotationsReport {

	private static final String NO_WEAVER = "lock.aspect.mode is aspectj, and no weaver has woven the aspect:"
			+ " start the JVM with -javaagent:aspectjweaver.jar, or set lock.aspect.mode=proxy";

	private final List<AnnotatedMethod<LockDeclaration>> methods;

	private final AnnotatedMethodSource<LockDeclaration, LockAttributes> attributes;

	private final LockTemplates templates;

	private final LockedMethodCheck check;

	private final boolean woven;

	private final Function<List<AnnotatedMethod<LockDeclaration>>, @Nullable String> transactionProblem;

	LockAnnotationsReport(List<AnnotatedMethod<LockDeclaration>> methods,
			AnnotatedMethodSource<LockDeclaration, LockAttributes> attributes, LockTemplates templates,
			LockedMethodCheck check, boolean woven,
			Function<List<AnnotatedMethod<LockDeclaration>>, @Nullable String> transactionProblem) {
		this.methods = methods;
		this.attributes = attributes;
		this.templates = templates;
		this.check = check;
		this.woven = woven;
		this.transactionProblem = transactionProblem;
	}

	/**
	 * Whether there is nothing to be said, as in an application that uses the template
	 * only.
	 */
	public boolean isEmpty() {
		return this.methods.isEmpty() && !this.woven;
	}

	/** Return the annotated methods of all beans. */
	public List<String> methods() {
		return describe(this.methods.stream());
	}

	private static List<String> describe(Stream<AnnotatedMethod<LockDeclaration>> methods) {
		return methods.map(AnnotatedMethod::describe).distinct().toList();
	}

	/**
	 * Throw if there are annotated methods that name no template, and nothing to lock
	 * them with.
	 * @throws NoLockOperationsException if there is no {@link LockOperations} bean, or
	 * several and none of them primary
	 */
	public void requireOperations() {
		List<String> methods = describe(this.methods.stream().filter((method) -> !method.declaration().hasTemplate()));
		if (!methods.isEmpty()) {
			this.templates.primary(methods);
		}
	}

	/** Return why methods would run without their lock, or fail at every call. */
	public List<String> findings() {
		if (this.woven && !LockWeaving.isActive()) {
			return List.of(NO_WEAVER);
		}
		List<String> findings = new ArrayList<>(
				this.methods.stream().map(this.check::problemOf).filter(Objects::nonNull).distinct().toList());
		String order = this.transactionProblem.apply(this.methods);
		if (order != null) {
			findings.add(order);
		}
		return findings;
	}

	/**
	 * Return what works and is perhaps not meant: methods of one class with the same key
	 * and no name do not exclude each other.
	 */
	public List<String> hints() {
		Map<String, List<AnnotatedMethod<LockDeclaration>>> sameKey = this.methods.stream()
			.filter((method) -> method.declaration().hasKeyAndNoName())
			.collect(Collectors.groupingBy((method) -> method.beanName() + " " + method.declaration().key()));
		return sameKey.values().stream().filter((same) -> same.size() > 1).map(LockAnnotationsReport::hint).toList();
	}

	/**
	 * Return which methods call a locked method of their own object, which no proxy sees.
	 * One that calls under a lock of the same name is left out.
	 */
	public List<String> selfInvocations() {
		if (this.woven) {
			return List.of();
		}
		Map<Class<?>, Map<String, String>> locks = new LinkedHashMap<>();
		this.methods
			.forEach((locked) -> locks.computeIfAbsent(locked.method().getDeclaringClass(), (type) -> new HashMap<>())
				.put(locked.method().getName() + Type.getMethodDescriptor(locked.method()),
						String.valueOf(nameOf(locked))));
		return locks.entrySet()
			.stream()
			.flatMap((type) -> SelfInvocations.find(type.getKey(), type.getValue()).stream())
			.toList();
	}

	/**
	 * The name that a method's locks have in common; none if its annotation is invalid.
	 */
	private @Nullable String nameOf(AnnotatedMethod<LockDeclaration> locked) {
		try {
			LockAttributes found = this.attributes.find(locked.method(), locked.beanType());
			return (found != null) ? found.request().group() : null;
		}
		catch (LockException ex) {
			return null;
		}
	}

	/**
	 * Return which names no annotated method has.
	 * @param names names, for instance those that have settings
	 * @param isFor whether such a name, the first, stands for that of a method
	 * @return one sentence each
	 */
	public List<String> unknown(Set<String> names, BiPredicate<String, String> isFor) {
		Set<String> known = this.methods.stream()
			.map(this::nameOf)
			.filter(Objects::nonNull)
			.collect(Collectors.toCollection(TreeSet::new));
		return names.stream()
			.filter((name) -> known.stream().noneMatch((ofMethod) -> isFor.test(name, ofMethod)))
			.map((name) -> "No method with @DistributedLock has the name '" + name + "'; known are "
					+ (known.isEmpty() ? "none" : "'" + String.join("', '", known) + "'"))
			.toList();
	}

	private static String hint(List<AnnotatedMethod<LockDeclaration>> same) {
		return same.stream().map(AnnotatedMethod::describe).collect(Collectors.joining(" and "))
				+ " have the same key '" + same.get(0).declaration().key()
				+ "' and no name, so they do not exclude each other;" + " if they should, give them one name";
	}

}
