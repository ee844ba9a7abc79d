package io.github.lockboot.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import org.pitest.classinfo.ClassName;
import org.pitest.mutationtest.EngineArguments;
import org.pitest.mutationtest.engine.Mutater;
import org.pitest.mutationtest.engine.MutationDetails;
import org.pitest.mutationtest.engine.gregor.config.GregorEngineFactory;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.util.ClassUtils;

import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.redis.RedisLockStore;

/**
 * One small change of a class of the engine: another comparison or constant, other
 * arithmetic, or a call without a result that is left out. PIT makes the changes, but
 * none of records and of static initializers, which have run already.
 *
 * @param type name of the class
 * @param bytes the changed class
 * @param text what is changed, and where
 */
record EngineMutant(String type, byte[] bytes, String text) {

	private static final List<String> PACKAGES = List.of("engine", "engine/store", "engine/support", "redis",
			"redis/redlock");

	private static final List<String> CHANGES = List.of("CONDITIONALS_BOUNDARY", "NEGATE_CONDITIONALS",
			"VOID_METHOD_CALLS", "INLINE_CONSTS", "MATH");

	/** Parts that a history does not have, and what only people read. */
	private static final List<String> OTHERS = List.of("toString", "describe", "StartupChecks", "RedisLockHints",
			"RedisLockTemplate", "FencedScript");

	/** Draw some of all mutants. */
	static List<EngineMutant> sample(long seed, int count) throws IOException {
		List<MutationDetails> all = all();
		Collections.shuffle(all, new Random(seed));
		return all.subList(0, Math.min(count, all.size())).stream().map(EngineMutant::of).toList();
	}

	/** Return the first mutant of a method by a change. */
	static EngineMutant of(String method, String change) throws IOException {
		return all().stream()
			.filter((mutant) -> text(mutant).startsWith(method) && text(mutant).contains(change))
			.findFirst()
			.map(EngineMutant::of)
			.orElseThrow();
	}

	/** Whether the tests of the engine may find it, and not those of Redis. */
	boolean isOfEngine() {
		return this.text.startsWith("engine.");
	}

	byte[] unchanged() {
		return bytes(this.type).orElseThrow();
	}

	private static EngineMutant of(MutationDetails mutant) {
		return new EngineMutant(mutant.getClassName().asJavaName(), mutater().getMutation(mutant.getId()).getBytes(),
				text(mutant));
	}

	private static Mutater mutater() {
		return new GregorEngineFactory().createEngine(EngineArguments.arguments().withMutators(CHANGES))
			.createMutator(EngineMutant::bytes);
	}

	private static List<MutationDetails> all() throws IOException {
		Mutater mutater = mutater();
		List<MutationDetails> all = new ArrayList<>();
		for (Class<?> shipped : List.of(LockStore.class, RedisLockStore.class)) {
			for (String name : PACKAGES) {
				for (Resource file : classesBeside(shipped, name)) {
					String type = "io.github.lockboot." + name.replace('/', '.') + "."
							+ String.valueOf(file.getFilename()).replace(".class", "");
					if (!ClassUtils.resolveClassName(type, null).isRecord()) { // or the
																				// JVM may
																				// crash
						all.addAll(mutater.findMutations(ClassName.fromString(type)));
					}
				}
			}
		}
		all.removeIf((mutant) -> OTHERS.stream().anyMatch((name) -> text(mutant).contains(name))
				|| mutant.getDescription().contains("logging") || text(mutant).contains("<clinit>"));
		// the order of files is not that of another machine
		all.sort(Comparator.comparing((mutant) -> text(mutant)));
		return all;
	}

	/** Return the classes of a package in the jar or folder of a type. */
	private static Resource[] classesBeside(Class<?> type, String name) throws IOException {
		URL location = type.getProtectionDomain().getCodeSource().getLocation();
		String root = location.getPath().endsWith(".jar") ? "jar:" + location + "!/" : location.toString();
		return new PathMatchingResourcePatternResolver().getResources(root + "io/github/lockboot/" + name + "/*.class");
	}

	private static String text(MutationDetails mutant) {
		return mutant.getClassName().asJavaName().replace("io.github.lockboot.", "") + "." + mutant.getMethod() + ":"
				+ mutant.getLineNumber() + " " + mutant.getDescription();
	}

	private static Optional<byte[]> bytes(String type) {
		String file = type.replace('.', '/') + ".class";
		try (InputStream bytes = EngineMutant.class.getClassLoader().getResourceAsStream(file)) {
			return (bytes != null) ? Optional.of(bytes.readAllBytes()) : Optional.empty();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
