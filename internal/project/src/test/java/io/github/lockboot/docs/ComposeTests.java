package io.github.lockboot.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What users start by {@code docker compose up}, or build with Gradle, fits to the rest
 * of the repository.
 */
class ComposeTests {

	private static final Path ROOT = Path.of("../..");

	private static final Path SAMPLE = ROOT.resolve("sample-app");

	private final Map<String, Map<String, Object>> services = services();

	@Test
	void mountedFilesExist() {
		assertThat(this.services.values()).flatMap((service) -> list(service, "volumes"))
			.filteredOn((volume) -> volume.startsWith(".") && !volume.contains("/target/"))
			.hasSize(5)
			.allSatisfy((volume) -> assertThat(SAMPLE.resolve(volume.split(":")[0])).isRegularFile());
	}

	@Test
	void jarIsThatOfTheSample() throws IOException {
		String pom = Files.readString(SAMPLE.resolve("pom.xml"));
		String version = pom.replaceFirst("(?s).*<artifactId>sample-app</artifactId>\\s*<version>([^<]+)<.*", "$1");
		assertThat(list(service("sample-1"), "volumes"))
			.contains("./target/sample-app-" + version + ".jar:/sample.jar:ro");
	}

	@Test
	void variablesOfTheSampleAreItsProperties() throws IOException {
		Properties properties = new Properties();
		try (var file = Files.newBufferedReader(SAMPLE.resolve("src/main/resources/application.properties"))) {
			properties.load(file);
		}
		String source = Files
			.readString(SAMPLE.resolve("src/main/java/io/github/lockboot/sample/cluster/InstanceRegistry.java"));
		assertThat(this.services.keySet()).contains("sample-1", "sample-2");
		Map<?, ?> variables = (Map<?, ?>) service("sample-2").getOrDefault("environment", Map.of());
		assertThat(variables.keySet()).map((name) -> name.toString().toLowerCase(Locale.ROOT).replace('_', '.'))
			.filteredOn((name) -> name.startsWith("sample."))
			.hasSize(3)
			.allMatch((name) -> properties.containsKey(name) || source.contains('"' + name + '"'));
		assertThat(variables.get("SAMPLE_HOST")).isEqualTo("sample-2");
		assertThat(variables.get("SPRING_DATA_REDIS_HOST")).isEqualTo("redis");
		assertThat(variables.toString()).contains("MANAGEMENT_ENDPOINTS_WEB_EXPOSURE_INCLUDE=health,locks,prometheus");
	}

	@Test
	void prometheusScrapesTheSampleAndHasTheAlerts() throws IOException {
		Map<String, Object> prometheus = new Yaml().load(Files.readString(SAMPLE.resolve("compose/prometheus.yml")));
		assertThat(prometheus.toString()).contains("sample-1:8080", "sample-2:8080", "/actuator/prometheus");
		assertThat(list(prometheus, "rule_files")).containsExactly("alert-rules.yml");
		assertThat(list(service("sample-2"), "ports")).containsExactly("127.0.0.1:8081:8080");
		assertThat(Files.readString(SAMPLE.resolve("compose/grafana-datasource.yml")))
			.contains("http://prometheus:9090");
		assertThat(list(service("grafana"), "volumes").toString())
			.contains("grafana-dashboard.json:/var/lib/grafana/dashboards/");
		assertThat(Files.readString(SAMPLE.resolve("compose/grafana-dashboards.yml")))
			.contains("path: /var/lib/grafana/dashboards\n");
	}

	@Test
	void snippetsForGradleAreThoseOfTheApplicationsThatGradleBuilds() throws IOException {
		Page page = Page.docs("getting-started.md");
		assertThat(page.blocks("kotlin"))
			.allSatisfy((snippet) -> assertThat(Files.readString(ROOT.resolve(".ci/gradle/kotlin/build.gradle.kts")))
				.contains(snippet))
			.hasSize(1);
		assertThat(page.blocks("groovy"))
			.allSatisfy((snippet) -> assertThat(Files.readString(ROOT.resolve(".ci/gradle/groovy/build.gradle")))
				.contains(snippet))
			.hasSize(1);
	}

	private Map<String, Object> service(String name) {
		return this.services.getOrDefault(name, Map.of());
	}

	private static Map<String, Map<String, Object>> services() {
		try {
			Map<String, Map<String, Map<String, Object>>> file = new Yaml()
				.load(Files.readString(SAMPLE.resolve("compose.yaml")));
			return file.getOrDefault("services", Map.of());
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@SuppressWarnings("unchecked")
	private static List<String> list(Map<String, Object> parent, String name) {
		return (List<String>) parent.getOrDefault(name, List.of());
	}

}
