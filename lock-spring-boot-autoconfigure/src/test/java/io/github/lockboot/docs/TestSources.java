package io.github.lockboot.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The sources of the tests of this module.
 */
final class TestSources {

	private static final Path ROOT = Path.of("src/test/java");

	private TestSources() {
	}

	/**
	 * Read a source file.
	 * @param name name of the file, without its package
	 * @return its text
	 */
	static String read(String name) {
		try (Stream<Path> files = Files.walk(ROOT)) {
			Path file = files.filter((path) -> path.endsWith(name))
				.findFirst()
				.orElseThrow(() -> new AssertionError("There is no " + name));
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
