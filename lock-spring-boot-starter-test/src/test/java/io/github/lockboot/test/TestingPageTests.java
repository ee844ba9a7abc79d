package io.github.lockboot.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The examples on the page about testing are compiled and run here, and its names exist.
 */
class TestingPageTests {

	private static final Path PAGE = Path.of("../docs/testing.md");

	private static final Path EXAMPLES = Path.of("src/test/java/io/github/lockboot/test/example");

	static List<String> javaExamples() throws IOException {
		return blocks("java");
	}

	@ParameterizedTest
	@MethodSource("javaExamples")
	void exampleIsOneOfTheTestsOfThisModule(String java) throws IOException {
		try (Stream<Path> files = Files.list(EXAMPLES)) {
			assertThat(files.map(TestingPageTests::withoutPackage)).contains(java);
		}
	}

	@Test
	void thereAreExamples() throws IOException {
		assertThat(javaExamples()).hasSize(2);
	}

	@Test
	void dependencyIsThisModuleInTheVersionOfThisBuild() throws IOException {
		String pom = Files.readString(Path.of("pom.xml"));
		String version = pom.substring(pom.indexOf("<version>"), pom.indexOf("</version>"));
		assertThat(blocks("xml")).singleElement()
			.asString()
			.contains("<artifactId>lock-spring-boot-starter-test</artifactId>", version, "<scope>test</scope>");
	}

	@Test
	void tableIsThatOfTheExamples() throws IOException {
		assertThat(blocks("sql")).containsExactly(Files.readString(Path.of("src/test/resources/schema.sql")));
	}

	@ParameterizedTest
	@MethodSource("assertions")
	void everyAssertionIsNamed(String assertion) throws IOException {
		assertThat(Files.readString(PAGE)).contains("`" + assertion + "`");
	}

	static Stream<String> assertions() {
		return Stream.of(LockStateAssert.class, LockJournalAssert.class, LockHandleAssert.class)
			.flatMap((type) -> Arrays.stream(type.getDeclaredMethods())
				.filter((method) -> Modifier.isPublic(method.getModifiers()))
				.map(Method::getName));
	}

	private static List<String> blocks(String language) throws IOException {
		return Pattern.compile("(?ms)^```" + language + "\n(.*?)^```$")
			.matcher(Files.readString(PAGE))
			.results()
			.map((block) -> block.group(1))
			.toList();
	}

	private static String withoutPackage(Path file) {
		try {
			return Files.readString(file).replaceFirst("package .*;\n\n", "");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
