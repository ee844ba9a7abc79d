package io.github.lockboot.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The sources of the locks and of the cache.
 */
final class Sources {

	private static final List<Path> MODULES = Stream
		.of("core", "redis", "spring", "spring-boot-autoconfigure", "spring-boot-cache", "spring-boot-jdbc",
				"spring-boot-zookeeper", "spring-boot-starter-test", "rewrite")
		.map((module) -> Path.of("../../lock-" + module))
		.toList();

	private Sources() {
	}

	/**
	 * Read a file of the tests.
	 * @param name name of the file, without its package
	 */
	static String test(String name) {
		String text = read(Stream.concat(Stream.of(Path.of("."), Path.of("../simulation")), MODULES.stream()),
				"src/test/java", (file) -> file.endsWith(name));
		if (text.isEmpty()) {
			throw new AssertionError("There is no " + name);
		}
		return text;
	}

	/**
	 * Read all files of the main code.
	 * @return their text, with string literals that are joined by {@code +} in one
	 */
	static String main() {
		return read(MODULES.stream(), "src/main/java", (file) -> file.toString().endsWith(".java"))
			.replaceAll("\"\\s*\\+\\s*\"", "");
	}

	private static String read(Stream<Path> modules, String folder, Predicate<Path> wanted) {
		return modules.flatMap((module) -> {
			try (Stream<Path> files = Files.walk(module.resolve(folder))) {
				return files.filter(wanted).map(Sources::read).toList().stream();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}).collect(Collectors.joining("\n"));
	}

	static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
