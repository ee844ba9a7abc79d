package io.github.lockboot.simulation.mutants;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
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

/**
 * One small change of a class of the engine: another comparison or constant, other
 * arithmetic, or a call without a result that is left out. PIT makes the changes.
 *
 * @param type name of the class
 * @param bytes the changed class
 * @param text what is changed, and where
 */
record EngineMutant(String type, byte[] bytes, String text) {

	private static final List<String> PACKAGES = List.of("engine", "engine/store", "redis", "redis/redlock");

	private static final List<String> CHANGES = List.of("CONDITIONALS_BOUNDARY", "NEGATE_CONDITIONALS",
			"VOID_METHOD_CALLS", "INLINE_CONSTS", "MATH");

	/** Parts that a history does not have, and what only people read. */
	private static final List<String> OTHERS = List.of("toString", "describe", "StartupChecks", "RedisLockHints",
			"RedisLockTemplate", "FencedScript", "simulation", "Simulated", "ShippedScripts");

	/** Draw some of all mutants. */
	static List<EngineMutant> sample(long seed, int count) throws IOException {
		Mutater mutater = new GregorEngineFactory().createEngine(EngineArguments.arguments().withMutators(CHANGES))
			.createMutator(EngineMutant::bytes);
		List<MutationDetails> all = new ArrayList<>();
		for (String name : PACKAGES) {
			Resource[] classes = new PathMatchingResourcePatternResolver()
				.getResources("classpath*:io/github/lockboot/" + name + "/*.class");
			for (Resource file : classes) {
				if (isShipped(file)) {
					String type = "io.github.lockboot." + name.replace('/', '.') + "."
							+ String.valueOf(file.getFilename()).replace(".class", "");
					all.addAll(mutater.findMutations(ClassName.fromString(type)));
				}
			}
		}
		all.removeIf((mutant) -> OTHERS.stream().anyMatch((name) -> text(mutant).contains(name))
				|| mutant.getDescription().contains("logging"));
		Collections.shuffle(all, new Random(seed));
		return all.subList(0, Math.min(count, all.size()))
			.stream()
			.map((mutant) -> new EngineMutant(mutant.getClassName().asJavaName(),
					mutater.getMutation(mutant.getId()).getBytes(), text(mutant)))
			.toList();
	}

	private static boolean isShipped(Resource file) throws IOException {
		return !file.getURL().getPath().contains("tests") && !file.getURL().getPath().contains("simulation")
				&& !file.getURL().getPath().contains("test-classes");
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
