package io.github.lockboot.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import io.github.lockboot.fixture.TestedWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of tested servers has those that the tests of this build have met so far. On
 * other systems jars have other versions.
 */
@EnabledOnOs(value = OS.LINUX, architectures = { "amd64", "x86_64" })
class TestedWithTests {

	private static final Pattern TABLE = Pattern.compile("(?<=\n## Tested with\n\n.{1,200}\n\n)(?:\\|.*\n)+");

	private final Page page = Page.docs("compatibility.md");

	private final List<TestedWith> met = TestedWith.all();

	private final Map<String, List<String>> rows = this.page.table("Tested with")
		.stream()
		.collect(Collectors.toMap((row) -> row.get(0), Function.identity(), (one, other) -> one, TreeMap::new));

	@Test
	void theTableHasTheServersOfThisBuild() throws IOException {
		if (Boolean.getBoolean("lockboot.docs.write")) {
			Files.writeString(this.page.file(),
					TABLE.matcher(this.page.text()).replaceFirst(Matcher.quoteReplacement(table())));
			return;
		}
		assertThat(this.met).filteredOn((server) -> server.date().isEmpty())
			.as("if the versions have changed, run all tests and then this one with -Dlockboot.docs.write=true; if "
					+ "target/tested-with has those of an earlier build, delete it")
			.allSatisfy((server) -> assertThat(cells(server.product(), 1)).contains(server.version()));
	}

	/** Return the table with what was met: the versions of the build, and all others. */
	private String table() {
		return Stream.concat(this.rows.keySet().stream(), this.met.stream().map(TestedWith::product))
			.distinct()
			.sorted()
			.map((product) -> "| " + product + " | " + String.join(", ", ofTheBuild(product)) + " | "
					+ String.join(", ", besides(product)) + " |\n")
			.map((row) -> row.replace("|  |", "| |"))
			.collect(Collectors.joining("", "| | each build | besides |\n| --- | --- | --- |\n", ""));
	}

	private List<String> ofTheBuild(String product) {
		List<String> versions = met(product).filter((server) -> server.date().isEmpty())
			.map(TestedWith::version)
			.sorted()
			.toList();
		return versions.isEmpty() ? cells(product, 1) : versions;
	}

	private TreeSet<String> besides(String product) {
		List<TestedWith> chosen = met(product).filter((server) -> !server.date().isEmpty()).toList();
		TreeSet<String> versions = new TreeSet<>(cells(product, 2));
		versions.removeIf((cell) -> chosen.stream().anyMatch((server) -> cell.startsWith(server.version() + " (")));
		chosen.forEach((server) -> versions.add(server.version() + " (" + server.date() + ")"));
		return versions;
	}

	private Stream<TestedWith> met(String product) {
		return this.met.stream().filter((server) -> server.product().equals(product));
	}

	private List<String> cells(String product, int column) {
		List<String> row = this.rows.getOrDefault(product, List.of("", "", ""));
		return Arrays.stream(row.get(column).split(", ")).filter((cell) -> !cell.isEmpty()).toList();
	}

}
