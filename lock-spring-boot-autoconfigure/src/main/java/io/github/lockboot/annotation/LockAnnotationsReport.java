package io.github.lockboot.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.lockboot.Internal;
import io.github.lockboot.LockOperations;

/**
 * What there is to be said about the annotated methods of an application.
 *
 * @since 1.0.0
 */
@Internal
public final class LockAnnotationsReport {

	private final LockAnnotations annotations;

	private final List<LockedMethod> methods;

	private final LockedMethodCheck check;

	LockAnnotationsReport(LockAnnotations annotations, List<LockedMethod> methods, LockedMethodCheck check) {
		this.annotations = annotations;
		this.methods = methods;
		this.check = check;
	}

	/**
	 * Whether there is nothing to be said, as in an application that uses the template
	 * only.
	 * @return true if no method is annotated, and none is to be woven
	 */
	public boolean isEmpty() {
		return this.methods.isEmpty() && !this.annotations.isWoven();
	}

	/**
	 * Return the annotated methods of all beans.
	 * @return class, method and parameter types of each
	 */
	public List<String> methods() {
		return describe(this.methods.stream());
	}

	private static List<String> describe(Stream<LockedMethod> methods) {
		return methods.map(LockedMethod::describe).distinct().toList();
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
			this.annotations.templates().primary(methods);
		}
	}

	/**
	 * Return why methods would run without their lock, or fail at every call.
	 * @return one sentence each, with class, method and cure; empty if all is well
	 */
	public List<String> findings() {
		if (this.annotations.isWoven() && !LockWeaving.isActive()) {
			return List.of(WovenMethodCheck.NO_WEAVER);
		}
		List<String> findings = new ArrayList<>(
				this.methods.stream().map(this.check::problemOf).filter(Objects::nonNull).distinct().toList());
		String order = this.annotations.transactionProblem(this.methods);
		if (order != null) {
			findings.add(order);
		}
		return findings;
	}

	/**
	 * Return what works and is perhaps not meant: methods of one class with the same key
	 * and no name do not exclude each other.
	 * @return one sentence each
	 */
	public List<String> hints() {
		Map<String, List<LockedMethod>> sameKey = this.methods.stream()
			.filter((method) -> method.declaration().hasKeyAndNoName())
			.collect(Collectors.groupingBy((method) -> method.bean().name() + " " + method.declaration().key()));
		return sameKey.values().stream().filter((same) -> same.size() > 1).map(LockAnnotationsReport::hint).toList();
	}

	/**
	 * Return which methods call a locked method of their own object, which no proxy sees.
	 * One that calls under a lock of the same name is left out.
	 * @return one sentence each
	 */
	public List<String> selfInvocations() {
		return this.annotations.selfInvocations(this.methods);
	}

	/**
	 * Return which names no annotated method has.
	 * @param names names, for instance those that have settings
	 * @param isFor whether such a name, the first, stands for that of a method
	 * @return one sentence each
	 */
	public List<String> unknown(Set<String> names, BiPredicate<String, String> isFor) {
		Set<String> known = this.methods.stream()
			.map(this.annotations::nameOf)
			.filter(Objects::nonNull)
			.collect(Collectors.toCollection(TreeSet::new));
		return names.stream()
			.filter((name) -> known.stream().noneMatch((ofMethod) -> isFor.test(name, ofMethod)))
			.map((name) -> "No method with @DistributedLock has the name '" + name + "'; known are "
					+ (known.isEmpty() ? "none" : "'" + String.join("', '", known) + "'"))
			.toList();
	}

	private static String hint(List<LockedMethod> same) {
		return same.stream().map(LockedMethod::describe).collect(Collectors.joining(" and ")) + " have the same key '"
				+ same.get(0).declaration().key() + "' and no name, so they do not exclude each other;"
				+ " if they should, give them one name";
	}

}
