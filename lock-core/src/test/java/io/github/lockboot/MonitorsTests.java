package io.github.lockboot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Before JDK 24 a virtual thread that waits within {@code synchronized} keeps its carrier
 * thread waiting too.
 */
class MonitorsTests {

	/** The word in a line that is no comment. */
	private static final Pattern MONITOR = Pattern.compile("(?m)^(?!\\s*(\\*|/)).*\\bsynchronized\\b");

	/** The journal of the test starter, which never waits. */
	private static final List<String> ALLOWED = List.of("LockJournal.java");

	@Test
	void noMethodOfTheLibraryUsesAMonitor() throws IOException {
		try (Stream<Path> files = Files.find(Path.of(".."), 20, (file, attributes) -> isShipped(file.toString()))) {
			assertThat(files.filter((file) -> MONITOR.matcher(text(file)).find()).map(Path::getFileName))
				.extracting(Path::toString)
				.containsExactlyElementsOf(ALLOWED);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "\tsynchronized int method() {", "\t\tsynchronized (this) {" })
	void synchronizedMethodsAndBlocksAreDetected(String line) {
		assertThat(MONITOR.matcher("class A {\n" + line + "\n")).matches((found) -> found.find());
	}

	private static boolean isShipped(String file) {
		return file.startsWith("../lock-") && file.contains("/src/main/java/") && file.endsWith(".java");
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
