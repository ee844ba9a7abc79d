package io.github.lockboot.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The workflows run actions that do not change, with few rights.
 */
class WorkflowsTests {

	private final Map<String, String> workflows = workflows();

	@Test
	void actionsArePinnedByCommits() {
		assertThat(this.workflows)
			.allSatisfy((name, workflow) -> assertThat(workflow.lines()).filteredOn((line) -> line.contains("uses:"))
				.isNotEmpty()
				.allSatisfy((line) -> assertThat(line).matches(".*uses: [\\w./-]+@[0-9a-f]{40} # v\\d+(\\.\\d+)+")));
	}

	@Test
	void jobsMayReadOnlyUnlessTheySayMoreAndEndInTime() {
		assertThat(this.workflows).allSatisfy((name, workflow) -> {
			assertThat(workflow).contains("\npermissions:\n  contents: read\n\n");
			assertThat(workflow.split("runs-on:")).hasSameSizeAs(workflow.split("timeout-minutes:"));
		});
	}

	@Test
	void theReadmeBeginsWithTheCommandsOfTheSampleAndTheTestsThatTheBuildCalls() {
		String command = "mvn -B -ntp verify";
		assertThat(Page.readme().text().lines().limit(10)).contains(command)
			.anyMatch((line) -> line.startsWith("mvn -B -ntp -Psample "));
		String build = Sources.read(Path.of("../../.ci/run"));
		assertThat(build).contains("bash -c \"$(grep -m1 -e -Psample README.md)\"");
		assertThat(build.lines()).filteredOn((line) -> line.matches("[^#]*\\bmvn .*"))
			.isNotEmpty()
			.allSatisfy((line) -> assertThat(line.replaceFirst("^.*(?=mvn )", "")).startsWith(command + " \""));
	}

	@Test
	void aReleaseAttestsTheJarsThatItPublishes() {
		String release = this.workflows.getOrDefault("release.yml", "");
		assertThat(release.substring(release.indexOf("mvn -B -ntp deploy")))
			.contains("actions/attest-build-provenance@", "subject-path: 'lock-*/target/*.jar'");
		assertThat(release).contains("attestations: write", "id-token: write");
	}

	private static Map<String, String> workflows() {
		try (Stream<Path> files = Files.list(Path.of("../../.github/workflows"))) {
			return files.collect(Collectors.toMap((file) -> String.valueOf(file.getFileName()), Sources::read));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
