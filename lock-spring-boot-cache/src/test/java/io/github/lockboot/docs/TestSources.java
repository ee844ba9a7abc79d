package io.github.lockboot.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The sources of the tests of the locks and of the cache.
 */
final class TestSources {

	private static final List<Path> ROOTS = List.of(Path.of("src/test/java"),
			Path.of("../lock-spring-boot-autoconfigure/src/test/java"));

	private TestSources() {
	}

	/**
	 * Read a source file.
	 * @param name name of the file, without its package
	 * @return its text
	 */
	static String read(String name) {
		try {
			for (Path root : ROOTS) {
				try (Stream<Path> files = Files.walk(root)) {
					Optional<Path> file = files.filter((path) -> path.endsWith(name)).findFirst();
					if (file.isPresent()) {
						return Files.readString(file.get());
					}
				}
			}
			throw new AssertionError("There is no " + name);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
