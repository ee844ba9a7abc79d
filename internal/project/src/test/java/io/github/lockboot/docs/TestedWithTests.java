package io.github.lockboot.docs;

import java.util.List;
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

	@Test
	void theTableHasTheServersOfThisBuild() {
		List<String> told = Page.docs("compatibility.md")
			.table("Tested with")
			.stream()
			.flatMap((row) -> Stream.of(row.get(1).split(", ")).map((version) -> row.get(0) + " " + version))
			.toList();
		assertThat(TestedWith.all()).as("if target/tested-servers has those of an earlier build, delete it")
			.isSubsetOf(told);
	}

}
