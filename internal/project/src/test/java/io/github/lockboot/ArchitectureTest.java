package io.github.lockboot;

import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The allowed dependencies of packages. Every package has to be in the table; a package
 * in the table need not exist yet.
 */
class ArchitectureTest {

	private static final String API = "io.github.lockboot";

	private static final String ALL = API + "..";

	private static final String AUTOCONFIGURE = "lock-spring-boot-autoconfigure";

	private static final Pattern MODULE = Pattern.compile(".*/(lock-[a-z-]+)(?:/target/|-[0-9])");

	private static final Map<String, Set<String>> MODULES = Map.of("lock-redis", Set.of("lock-core"), "lock-spring",
			Set.of("lock-core"), AUTOCONFIGURE, Set.of("lock-core", "lock-redis", "lock-spring"),
			"lock-spring-boot-jdbc", Set.of("lock-core", "lock-spring"), "lock-spring-boot-zookeeper",
			Set.of("lock-core"), "lock-spring-boot-cache", Set.of("lock-core", "lock-redis", "lock-spring"));

	private static final Map<String, List<String>> ARROWS = Map.ofEntries(arrow(""), arrow(".concurrent"),
			arrow(".engine.store", "", ".concurrent"), arrow(".engine.support", "", ".concurrent", ".engine.store"),
			arrow(".engine", "", ".concurrent", ".engine.store", ".engine.support"),
			arrow(".redis.connection", ".concurrent"),
			arrow(".redis", "", ".concurrent", ".engine", ".engine.store", ".engine.support", ".redis.connection"),
			arrow(".redis.redlock", "", ".concurrent", ".engine", ".engine.store", ".engine.support", ".redis",
					".redis.connection"),
			arrow(".fencing", "", ".engine"), arrow(".transaction", "", ".engine"),
			arrow(".jdbc", "", ".concurrent", ".engine", ".engine.store", ".engine.support", ".fencing"),
			arrow(".zookeeper", "", ".concurrent", ".engine", ".engine.store", ".engine.support"),
			arrow(".jdbc.transaction", "", ".concurrent", ".engine", ".fencing", ".jdbc", ".transaction"),
			arrow(".jdbc.liquibase", "", ".jdbc"),
			arrow(".local", "", ".concurrent", ".engine", ".engine.store", ".engine.support"), arrow(".expression"),
			arrow(".aop"), arrow(".annotation", ""),
			arrow(".aop.lock", "", ".annotation", ".aop", ".concurrent", ".expression", ".transaction"),
			arrow(".cache", "", ".cache.codec"), arrow(".cache.codec"),
			arrow(".cache.protocol", ".concurrent", ".redis.connection"), arrow(".cache.key", ".cache", ".cache.codec"),
			arrow(".cache.transaction", ".cache"),
			arrow(".cache.engine", "", ".cache", ".cache.codec", ".cache.key", ".cache.protocol", ".cache.transaction",
					".concurrent"),
			arrow(".cache.redis", "", ".cache", ".cache.codec", ".cache.engine", ".cache.protocol",
					".cache.transaction", ".concurrent", ".redis.connection"),
			arrow(".cache.aop", ".aop", ".cache", ".cache.codec", ".cache.key", ".cache.transaction", ".concurrent",
					".expression"),
			arrow(".cache.spring", ".cache", ".cache.key"), arrow(".cache.metrics", ".cache"),
			arrow(".cache.autoconfigure", ".."), arrow(".bridge.(*)", ""), arrow(".metrics", ""),
			arrow(".leader", "", ".concurrent"), arrow(".aop.leader", "", ".annotation", ".aop", ".leader"),
			arrow(".actuate", "", ".leader"), arrow(".autoconfigure", ".."), arrow(".autoconfigure.store", ""),
			arrow(".autoconfigure.fencing", ".."), arrow(".autoconfigure.jdbc", ".."),
			arrow(".autoconfigure.zookeeper", ".."), arrow(".autoconfigure.bridge", ".."),
			arrow(".autoconfigure.leader", ".."), arrow(".autoconfigure.rehearsal", ".."),
			arrow(".autoconfigure.web", ""));

	private static final int MOST_MUTABLE_FIELDS = 10;

	/** Where futures are asked that are done, or are none that a worker would help. */
	private static final Set<String> ASK_FUTURES = Set.of("ReactiveLocks", "aop.lock.LockedMethod",
			"cache.engine.CacheTemplate", "cache.engine.EntryRead", "cache.engine.SingleFlight",
			"concurrent.FutureWait", "engine.Acquisition", "engine.LockAcquirer", "engine.LockQueue",
			"redis.StartupChecks", "zookeeper.LockNode", "zookeeper.TokenOffset");

	private static final JavaClasses MAIN = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.withImportOption((location) -> !location.contains("-tests.jar") && !location.contains("fixtures/target"))
		.importPackages(API);

	private static Map.Entry<String, List<String>> arrow(String from, String... to) {
		return Map.entry(API + from, Stream.of(to).map(API::concat).toList());
	}

	static Stream<String> packages() {
		return ARROWS.keySet().stream().sorted();
	}

	@ParameterizedTest
	@MethodSource("packages")
	void aPackageDependsOnlyOnThoseInTheTable(String name) {
		// any package may use the annotation for internal public types
		DescribedPredicate<JavaClass> allowed = resideInAnyPackage(visibleFrom(name))
			.or(DescribedPredicate.describe("the mark @Internal", (type) -> type.isEquivalentTo(Internal.class)));
		noClasses().that()
			.resideInAPackage(name)
			.should()
			.dependOnClassesThat(resideInAPackage(ALL).and(DescribedPredicate.not(allowed)))
			.allowEmptyShould(true)
			.check(MAIN);
	}

	@Test
	void everyPackageIsInTheTable() {
		classes().should().resideInAnyPackage(ARROWS.keySet().toArray(String[]::new)).check(MAIN);
	}

	@Test
	void packagesHaveNoCycle() {
		SlicesRuleDefinition.slices().assignedFrom(new OnePerPackage()).should().beFreeOfCycles().check(MAIN);
	}

	/** A worker of a ForkJoinPool runs other tasks in {@link CompletableFuture#get()}. */
	@Test
	void aThreadThatWaitsForAFutureParks() {
		assertThat(MAIN.stream()
			.filter((type) -> type.getMethodCallsFromSelf()
				.stream()
				.anyMatch((call) -> call.getTargetOwner().isAssignableTo(Future.class)
						&& Set.of("get", "join").contains(call.getName())))
			.map((type) -> type.getName().substring(API.length() + 1).replaceFirst("\\$.*", ""))
			.distinct()).containsExactlyInAnyOrderElementsOf(ASK_FUTURES);
	}

	/** The auto-configuration of each may also use that of the locks. */
	@Test
	void aModuleDependsOnThoseInTheTable() {
		Map<String, Set<String>> modules = new HashMap<>();
		MAIN.stream()
			.filter((type) -> !type.getPackageName().contains(".autoconfigure") || module(type).equals(AUTOCONFIGURE))
			.forEach((type) -> type.getDirectDependenciesFromSelf()
				.stream()
				.map((dependency) -> dependency.getTargetClass().getBaseComponentType())
				.filter((target) -> target.getPackageName().startsWith(API))
				.map(ArchitectureTest::module)
				.filter((target) -> !target.equals(module(type)))
				.forEach((target) -> modules.computeIfAbsent(module(type), (name) -> new TreeSet<>()).add(target)));
		assertThat(modules).isEqualTo(MODULES);
	}

	private static String module(JavaClass type) {
		Matcher path = MODULE.matcher(type.getSource().orElseThrow().getUri().toString());
		assertThat(path.find()).as(type.getName()).isTrue();
		return path.group(1);
	}

	@Test
	void aPackageHasAtMostTwentyFiveTypes() {
		Map<String, Long> types = MAIN.stream()
			.filter((type) -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
		assertThat(types).allSatisfy((name, count) -> assertThat(count).isLessThanOrEqualTo(25));
	}

	@Test
	void onlyAutoConfigurationAndActuatorDependOnSpringBoot() {
		noClasses().that()
			.resideOutsideOfPackages(API + ".autoconfigure..", API + ".cache.autoconfigure", API + ".actuate")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("org.springframework.boot..")
			.check(MAIN);
	}

	@Test
	void everyPackageIsNullMarkedIncludingThoseOfTheTests() throws IOException {
		String folder = API.replace('.', '/');
		Resource[] files = new PathMatchingResourcePatternResolver()
			.getResources("classpath*:" + folder + "/**/*.class");
		Set<String> packages = new TreeSet<>();
		for (Resource file : files) {
			String path = file.getURL().getPath();
			packages.add(path.substring(path.lastIndexOf(folder), path.lastIndexOf('/')).replace('/', '.'));
		}
		assertThat(packages).hasSizeGreaterThan(20).filteredOn((found) -> !isNullMarked(found)).isEmpty();
	}

	@Test
	void noCycleInsideAPackageHasMoreThanFiveTypesWithCallbacks() {
		Set<Set<String>> knots = MAIN.stream()
			.map(JavaClass::getPackageName)
			.distinct()
			.flatMap((name) -> new TypeCycles(MAIN, name).largerThan(5).stream())
			.collect(Collectors.toSet());
		assertThat(knots).isEmpty();
	}

	@Test
	void noTypeOfTheLocksHasManyMutableFields() {
		assertThat(MAIN.stream().filter((type) -> !type.getPackageName().startsWith(API + ".cache")))
			.hasSizeGreaterThan(400)
			.allSatisfy((type) -> assertThat(type.getFields()).as(type.getName())
				.filteredOn((field) -> Collections.disjoint(field.getModifiers(),
						Set.of(JavaModifier.FINAL, JavaModifier.STATIC, JavaModifier.SYNTHETIC)))
				.hasSizeLessThanOrEqualTo(MOST_MUTABLE_FIELDS));
	}

	private static boolean isNullMarked(String found) {
		Class<?> info = ClassUtils.resolveClassName(found + ".package-info", null);
		return info.isAnnotationPresent(NullMarked.class);
	}

	private static String[] visibleFrom(String name) {
		return Stream.concat(Stream.of(name), ARROWS.getOrDefault(name, List.of()).stream()).toArray(String[]::new);
	}

	/**
	 * Each package is a node of the graph.
	 */
	private static final class OnePerPackage implements SliceAssignment {

		@Override
		public SliceIdentifier getIdentifierOf(JavaClass type) {
			return SliceIdentifier.of(type.getPackageName());
		}

		@Override
		public String getDescription() {
			return "packages";
		}

	}

	/**
	 * Finds cycles between the top-level types of a package. Nested types count as their
	 * top-level type. A type that is or declares an interface which one other type of the
	 * package implements depends on that type too, because it calls it back.
	 */
	static final class TypeCycles {

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

}
