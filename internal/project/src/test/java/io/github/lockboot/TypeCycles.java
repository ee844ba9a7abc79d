package io.github.lockboot;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;

/**
 * Finds cycles between the top-level types of a package. Nested types count as their
 * top-level type. A type that is or declares an interface which one other type of the
 * package implements depends on that type too, because it calls it back.
 */
final class TypeCycles {

	/** The transitive dependencies of each type. */
	private final Map<String, Set<String>> reached = new TreeMap<>();

	TypeCycles(JavaClasses classes, String packageName) {
		Map<String, Set<String>> uses = new TreeMap<>();
		classes.stream().filter((type) -> type.getPackageName().equals(packageName)).forEach((type) -> {
			Set<String> used = uses.computeIfAbsent(topLevel(type), (name) -> new TreeSet<>());
			type.getDirectDependenciesFromSelf()
				.stream()
				.map(Dependency::getTargetClass)
				.filter((target) -> target.getPackageName().equals(packageName))
				.map(TypeCycles::topLevel)
				.filter((target) -> !target.equals(topLevel(type)))
				.forEach(used::add);
			used.addAll(calledBack(type));
		});
		uses.keySet().forEach((name) -> this.reached.put(name, reach(name, uses)));
	}

	/**
	 * Return the only other type that implements an interface, if there is one. A
	 * top-level interface is a type of its own if it has further implementations.
	 */
	private static Set<String> calledBack(JavaClass type) {
		if (!type.isInterface()) {
			return Set.of();
		}
		List<JavaClass> implementers = type.getAllSubclasses()
			.stream()
			.filter((implementer) -> implementer.getPackageName().equals(type.getPackageName()))
			.toList();
		Set<String> others = implementers.stream()
			.map(TypeCycles::topLevel)
			.filter((implementer) -> !implementer.equals(topLevel(type)))
			.collect(Collectors.toSet());
		int count = type.isTopLevelClass() ? implementers.size() : others.size();
		return (count == 1) ? others : Set.of();
	}

	private static Set<String> reach(String from, Map<String, Set<String>> uses) {
		Set<String> reached = new HashSet<>();
		Set<String> news = uses.getOrDefault(from, Set.of());
		while (reached.addAll(news)) {
			news = news.stream()
				.flatMap((name) -> uses.getOrDefault(name, Set.of()).stream())
				.collect(Collectors.toSet());
		}
		return reached;
	}

	/** Return the simple names of the types of each cycle. */
	List<Set<String>> largerThan(int size) {
		return this.reached.keySet()
			.stream()
			.map(this::knotOf)
			.distinct()
			.filter((knot) -> knot.size() > size)
			.toList();
	}

	private Set<String> knotOf(String name) {
		return this.reached.getOrDefault(name, Set.of())
			.stream()
			.filter((other) -> this.reached.getOrDefault(other, Set.of()).contains(name))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static String topLevel(JavaClass type) {
		JavaClass top = type;
		while (top.getEnclosingClass().isPresent()) {
			top = top.getEnclosingClass().get();
		}
		return top.getSimpleName();
	}

}
