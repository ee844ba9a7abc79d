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

	private static final List<Path> MODULES = List.of(Path.of("."), Path.of("../lock-core"), Path.of("../lock-redis"),
			Path.of("../lock-spring"), Path.of("../lock-spring-boot-autoconfigure"),
			Path.of("../lock-spring-boot-jdbc"), Path.of("../lock-spring-boot-zookeeper"),
			Path.of("../lock-spring-boot-starter-test"), Path.of("../lock-rewrite"));

	private Sources() {
	}

	/**
	 * Read a file of the tests.
	 * @param name name of the file, without its package
	 * @return its text
	 */
	static String test(String name) {
		String text = read("src/test/java", (file) -> file.endsWith(name));
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
		return read("src/main/java", (file) -> file.toString().endsWith(".java")).replaceAll("\"\\s*\\+\\s*\"", "");
	}

	private static String read(String folder, Predicate<Path> wanted) {
		return MODULES.stream().flatMap((module) -> {
			try (Stream<Path> files = Files.walk(module.resolve(folder))) {
				return files.filter(wanted).map(Sources::read).toList().stream();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}).collect(Collectors.joining("\n"));
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
