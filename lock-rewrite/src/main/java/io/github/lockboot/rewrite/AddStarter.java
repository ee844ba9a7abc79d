package io.github.lockboot.rewrite;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Option;
import org.openrewrite.ScanningRecipe;
import org.openrewrite.SourceFile;
import org.openrewrite.Tree;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.search.UsesType;
import org.openrewrite.java.tree.J;
import org.openrewrite.text.PlainTextParser;
import org.openrewrite.xml.AddToTagVisitor;
import org.openrewrite.xml.tree.Xml;

/**
 * Adds a starter of this library to each build file whose sources use the locks of
 * another library.
 *
 * @since 1.0.0
 */
public final class AddStarter extends ScanningRecipe<AddStarter.Found> {

	private static final String GROUP = "io.github.lockboot";

	private static final List<String> LOCKS = List.of("org.redisson.api.RLock", "org.redisson.api.RReadWriteLock",
			"com.baomidou.lock..*", "net.javacrumbs.shedlock.spring.annotation.SchedulerLock",
			"org.springframework.integration.support.locks.LockRegistry",
			"org.springframework.integration.redis.util.RedisLockRegistry",
			"org.springframework.integration.jdbc.lock.JdbcLockRegistry",
			"org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry");

	/** The ends of the names of the starters by the types that tell the store. */
	private static final Map<String, String> STORES = Map.of("org.redisson.api.RLock", "",
			"org.redisson.api.RReadWriteLock", "", "net.javacrumbs.shedlock.provider.redis..*", "",
			"org.springframework.integration.redis.util..*", "", "net.javacrumbs.shedlock.provider.jdbctemplate..*",
			"-jdbc", "net.javacrumbs.shedlock.provider.jdbc..*", "-jdbc",
			"org.springframework.integration.jdbc.lock..*", "-jdbc", "net.javacrumbs.shedlock.provider.zookeeper..*",
			"-zookeeper", "org.springframework.integration.zookeeper.lock..*", "-zookeeper");

	private static final Pattern TESTS = Pattern.compile("(^|/)src/[\\w-]*[tT]est[\\w-]*/");

	private static final Pattern DEPENDENCIES = Pattern.compile("(?m)^dependencies\\s*\\{[ \\t]*(\\R[ \\t]*)?");

	@Option(displayName = "Version", description = "Version of the starter.", example = "1.0.0")
	private final String version;

	/**
	 * Create a recipe.
	 * @param version version of the starter
	 */
	@JsonCreator
	public AddStarter(@JsonProperty("version") String version) {
		this.version = version;
	}

	@Override
	public String getDisplayName() {
		return "Add the starter for locks";
	}

	@Override
	public String getDescription() {
		return "Adds the starter for Redis, a database or ZooKeeper to `pom.xml`, `build.gradle` or `build.gradle.kts`, "
				+ "if the main sources next to it use the locks of another library.";
	}

	@Override
	public Found getInitialValue(ExecutionContext context) {
		return new Found(new HashSet<>(), new HashSet<>(), new HashMap<>());
	}

	@Override
	public TreeVisitor<?, ExecutionContext> getScanner(Found found) {
		return new TreeVisitor<Tree, ExecutionContext>() {
			@Override
			public @Nullable Tree visit(@Nullable Tree tree, ExecutionContext context) {
				if (tree instanceof J.CompilationUnit unit && !isTest(unit)) {
					if (LOCKS.stream().anyMatch((type) -> uses(unit, type, context))) {
						found.sources().add(directory(unit));
					}
					STORES.forEach((type, store) -> {
						if (uses(unit, type, context)) {
							found.stores().computeIfAbsent(directory(unit), (directory) -> new HashSet<>()).add(store);
						}
					});
				}
				else if (tree instanceof SourceFile file && isBuild(file)) {
					found.builds().add(directory(file));
				}
				return tree;
			}
		};
	}

	private static boolean isTest(J.CompilationUnit unit) {
		return TESTS.matcher(unit.getSourcePath().toString().replace('\\', '/')).find();
	}

	static boolean uses(J.CompilationUnit unit, String type, ExecutionContext context) {
		return new UsesType<>(type, false).visit(unit, context) != unit;
	}

	static boolean isBuild(SourceFile file) {
		return Stream.of("pom.xml", "build.gradle", "build.gradle.kts").anyMatch(file.getSourcePath()::endsWith);
	}

	/** Return the directory of a file, relative to a root that has a name. */
	private static Path directory(SourceFile file) {
		Path parent = file.getSourcePath().getParent();
		return (parent != null) ? Path.of("root").resolve(parent) : Path.of("root");
	}

	@Override
	public TreeVisitor<?, ExecutionContext> getVisitor(Found found) {
		return new TreeVisitor<Tree, ExecutionContext>() {
			@Override
			public @Nullable Tree visit(@Nullable Tree tree, ExecutionContext context) {
				if (!(tree instanceof SourceFile file) || !isBuild(file) || !found.isOfSources(directory(file))) {
					return tree;
				}
				String artifact = "lock-spring-boot-starter" + found.storeOf(directory(file));
				return (file instanceof Xml.Document pom) ? addTo(pom, artifact, context) : addTo(file, artifact);
			}
		};
	}

	private Tree addTo(Xml.Document pom, String artifact, ExecutionContext context) {
		Xml.Tag root = pom.getRoot();
		Xml.Tag dependencies = root.getChild("dependencies").orElse(root);
		if (dependencies.getChildren("dependency")
			.stream()
			.anyMatch((there) -> artifact.equals(there.getChildValue("artifactId").orElse("")))) {
			return pom;
		}
		String dependency = "\n<dependency>\n<groupId>" + GROUP + "</groupId>\n<artifactId>" + artifact
				+ "</artifactId>\n<version>" + this.version + "</version>\n</dependency>";
		Xml.Tag added = Xml.Tag
			.build((dependencies == root) ? "\n<dependencies>" + dependency + "\n</dependencies>" : dependency);
		return new AddToTagVisitor<ExecutionContext>(dependencies, added).visitNonNull(pom, context);
	}

	private Tree addTo(SourceFile gradle, String artifact) {
		String text = gradle.printAll();
		if (text.contains(GROUP + ":" + artifact + ":")) {
			return gradle;
		}
		String dependency = "implementation(\"" + GROUP + ":" + artifact + ":" + this.version + "\")";
		Matcher block = DEPENDENCIES.matcher(text);
		String added;
		if (block.find()) {
			String line = (block.group(1) != null) ? block.group(1) : "\n    ";
			added = text.substring(0, block.end()) + ((block.group(1) != null) ? "" : line) + dependency + line
					+ text.substring(block.end());
		}
		else {
			String stripped = text.stripTrailing();
			added = stripped + "\n\ndependencies {\n    " + dependency + "\n}" + text.substring(stripped.length());
		}
		return PlainTextParser.convert(gradle).withText(added);
	}

	/**
	 * What was found in a project.
	 *
	 * @param sources the directories of sources that use locks
	 * @param builds the directories of build files
	 * @param stores which starters fit, by the directories of the sources
	 */
	record Found(Set<Path> sources, Set<Path> builds, Map<Path, Set<String>> stores) {

		/** Return whether a directory is that of the build of such sources. */
		boolean isOfSources(Path directory) {
			return this.sources.stream().anyMatch((source) -> directory.equals(buildOf(source)));
		}

		/**
		 * Return the store of a build, or that of all others if its sources tell none:
		 * the configuration may be in another module.
		 */
		String storeOf(Path directory) {
			Set<String> own = new HashSet<>();
			Set<String> all = new HashSet<>();
			this.stores.forEach((source, found) -> {
				all.addAll(found);
				if (directory.equals(buildOf(source))) {
					own.addAll(found);
				}
			});
			Set<String> known = own.isEmpty() ? all : own;
			return (known.size() == 1) ? known.iterator().next() : "";
		}

		private @Nullable Path buildOf(Path source) {
			for (Path parent = source; parent != null; parent = parent.getParent()) {
				if (this.builds.contains(parent)) {
					return parent;
				}
			}
			return null;
		}

	}

}
