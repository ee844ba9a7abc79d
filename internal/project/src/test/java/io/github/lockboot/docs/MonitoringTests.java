package io.github.lockboot.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.json.JsonParserFactory;
import org.yaml.snakeyaml.Yaml;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRequest;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.metrics.CacheMetrics;
import io.github.lockboot.local.LocalLockTemplate;
import io.github.lockboot.metrics.LockMetrics;
import io.github.lockboot.metrics.LockObservations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The documented meters are those that Prometheus scrapes.
 */
class MonitoringTests {

	private static final Path DOCS = Path.of("../../docs");

	private static final Map<String, Set<String>> SCRAPE = scrape();

	private static final List<Meter> METERS = meters();

	/** Alerts over all instances: they concern a lock, not one instance. */
	private static final Set<String> OVER_ALL_INSTANCES = Set.of("LockNotAcquired", "LockWaitersPileUp");

	private final Page page = Page.docs("monitoring.md");

	static List<PromQuery> queries() throws IOException {
		List<PromQuery> queries = new ArrayList<>(dashboardQueries());
		queries.addAll(alertQueries());
		return queries;
	}

	@Test
	void metersAreThoseThatAreRegisteredWithTheirTypesAndTags() {
		Map<String, String> documented = new TreeMap<>();
		this.page.table("Meters")
			.forEach((row) -> documented.put(unquoted(row.get(0)), row.get(1) + " " + unquoted(row.get(2))));
		Map<String, String> meters = new TreeMap<>();
		METERS.forEach((meter) -> meters.put(meter.getId().getName(),
				meter.getId().getType().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " "
						+ meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.joining(", "))));
		assertThat(documented).hasSize(19).isEqualTo(meters);
	}

	@Test
	void valuesOfTagsAreThoseOfTheMeters() {
		assertThat(tagValues("lock_acquire_seconds_count", "outcome")).allSatisfy(this::isTold);
		assertThat(Stream.of("gets", "stores", "refreshes", "errors")
			.flatMap((meter) -> tagValues("lock_cache_" + meter + "_total", "result"))).allSatisfy(this::isTold);
	}

	@Test
	void observationsAreThoseThatAreMade() {
		TestObservationRegistry registry = TestObservationRegistry.create();
		try (LocalLockTemplate locks = new LocalLockTemplate(LockDefaults.defaults(),
				List.of(new LockObservations(registry)))) {
			locks.acquire("order:42").close();
		}
		this.page.table("Traces")
			.forEach((row) -> TestObservationRegistryAssert.assertThat(registry)
				.hasObservationWithNameEqualTo(unquoted(row.get(0))));
		assertThat(this.page.table("Traces")).hasSize(2);
		TestObservationRegistryAssert.assertThat(registry).hasNumberOfObservationsEqualTo(2);
	}

	@ParameterizedTest
	@MethodSource("queries")
	void queriesUseExistingMetricsAndLabels(PromQuery query) {
		assertThat(query.series()).isNotEmpty().isSubsetOf(SCRAPE.keySet());
		query.selectors()
			.forEach((series, labels) -> assertThat(labels).as(series)
				.isSubsetOf(SCRAPE.getOrDefault(series, Set.of())));
		query.series().forEach((series) -> assertThat(query.groupings()).as(series).isSubsetOf(SCRAPE.get(series)));
	}

	@Test
	void dashboardShowsEveryMeter() throws IOException {
		Set<String> shown = dashboardQueries().stream()
			.flatMap((query) -> query.series().stream())
			.map((series) -> series.replaceAll("_(seconds|(seconds_)?(count|sum|max|total))$", ""))
			.collect(Collectors.toSet());
		// the meters of all kinds of caches are for general dashboards
		assertThat(METERS).map((meter) -> meter.getId().getName().replace('.', '_'))
			.filteredOn((meter) -> !meter.startsWith("cache_"))
			.isNotEmpty()
			.isSubsetOf(shown);
	}

	@Test
	void legendsNameLabelsOfTheirQueries() throws IOException {
		assertThat(with("expr", dashboard())).isNotEmpty();
		for (Map<?, ?> target : with("expr", dashboard()).toList()) {
			assertThat(placeholders(String.valueOf(target.get("legendFormat")), "\\{\\{(\\w+)}}"))
				.isSubsetOf(PromQuery.of(String.valueOf(target.get("expr"))).groupings());
		}
	}

	@Test
	void eachAlertLeadsToItsSectionOfTheIncidents() throws IOException {
		for (Map<?, ?> rule : rules()) {
			String section = "docs/incidents.md#" + String.valueOf(rule.get("alert")).toLowerCase(Locale.ROOT);
			assertThat(String.valueOf(rule.get("annotations")))
				.contains("runbook_url=https://github.com/lockboot/lock-spring-boot/blob/main/" + section + ",");
			Page.readme().follow(section);
		}
	}

	@Test
	void panelsShowTheChosenApplicationsAndInstances() throws IOException {
		assertThat(values("expr", dashboard()).map(PromQuery::of)).allSatisfy((query) -> {
			assertThat(query.groupings()).as(query.text()).contains("application");
			assertThat(query.selectors()).as(query.text())
				.containsOnlyKeys(query.series())
				.allSatisfy((series, labels) -> assertThat(labels).contains("application", "instance"));
		});
	}

	@Test
	void alertsContainAllLabelsOfTheirQueriesTheApplicationAndTheInstance() throws IOException {
		for (Map<?, ?> rule : rules()) {
			Set<String> labels = PromQuery.of(String.valueOf(rule.get("expr"))).groupings();
			String alert = String.valueOf(rule.get("alert"));
			assertThat(labels).as(alert).contains("application");
			assertThat(labels.contains("instance")).as(alert).isNotEqualTo(OVER_ALL_INSTANCES.contains(alert));
			assertThat(placeholders(String.valueOf(rule.get("annotations")), "\\$labels\\.(\\w+)")).as(alert)
				.hasSameElementsAs(labels);
		}
	}

	private void isTold(String value) {
		assertThat(this.page.text()).contains("`" + value + "`");
	}

	private static Stream<String> tagValues(String series, String label) {
		return Pattern.compile(series + "\\{[^}]*" + label + "=\"([^\"]*)\"")
			.matcher(text())
			.results()
			.map((match) -> match.group(1));
	}

	private static List<PromQuery> dashboardQueries() throws IOException {
		List<PromQuery> queries = new ArrayList<>(values("expr", dashboard()).map(PromQuery::of).toList());
		values("query", dashboard()).filter((query) -> query.contains("(")).map(PromQuery::of).forEach(queries::add);
		return queries;
	}

	private static List<PromQuery> alertQueries() throws IOException {
		return rules().stream().map((rule) -> PromQuery.of(String.valueOf(rule.get("expr")))).toList();
	}

	private static Map<String, Object> dashboard() throws IOException {
		return JsonParserFactory.getJsonParser().parseMap(Files.readString(DOCS.resolve("grafana-dashboard.json")));
	}

	private static List<Map<?, ?>> rules() throws IOException {
		Map<String, List<Map<String, List<Map<?, ?>>>>> file = new Yaml()
			.load(Files.readString(DOCS.resolve("alert-rules.yml")));
		List<Map<?, ?>> rules = file.getOrDefault("groups", List.of())
			.stream()
			.<Map<?, ?>>flatMap((group) -> group.getOrDefault("rules", List.of()).stream())
			.toList();
		assertThat(rules).hasSizeGreaterThan(3);
		return rules;
	}

	/** Return all values of a key, anywhere in a document. */
	private static Stream<String> values(String key, @Nullable Object node) {
		return with(key, node).map((map) -> String.valueOf(map.get(key)));
	}

	/** Return the maps with a text for a key. */
	private static Stream<Map<?, ?>> with(String key, @Nullable Object node) {
		if (node instanceof Map<?, ?> map) {
			Stream<Map<?, ?>> inner = map.values().stream().flatMap((value) -> with(key, value));
			return (map.get(key) instanceof String) ? Stream.concat(Stream.of(map), inner) : inner;
		}
		return (node instanceof Collection<?> list) ? list.stream().flatMap((element) -> with(key, element))
				: Stream.empty();
	}

	private static List<String> placeholders(String text, String pattern) {
		return Pattern.compile(pattern).matcher(text).results().map((match) -> match.group(1)).toList();
	}

	private static String unquoted(String cell) {
		return cell.replace("`", "");
	}

	/** Labels by the name of their series; Prometheus adds the instance. */
	private static Map<String, Set<String>> scrape() {
		Map<String, Set<String>> series = new TreeMap<>();
		Pattern.compile("(?m)^([a-z]\\w*)(\\{.*})? \\S+$").matcher(text()).results().forEach((match) -> {
			String labels = (match.group(2) != null) ? match.group(2) : "";
			series.put(match.group(1), Stream.concat(Stream.of("instance"),
					Pattern.compile("(\\w+)=\"").matcher(labels).results().map((MatchResult label) -> label.group(1)))
				.collect(Collectors.toSet()));
		});
		return series;
	}

	private static String text() {
		PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		registry.config().commonTags("application", "shop");
		use(registry);
		return registry.scrape();
	}

	private static List<Meter> meters() {
		SimpleMeterRegistry registry = new SimpleMeterRegistry();
		use(registry);
		return registry.getMeters();
	}

	private static void use(MeterRegistry registry) {
		CacheMetrics caches = new CacheMetrics(registry);
		caches.onEvent("product", CacheEvent.HIT);
		caches.onLoad("product", Duration.ofMillis(5), false);
		try (LocalLockTemplate locks = new LocalLockTemplate(LockDefaults.defaults(),
				List.of(new LockMetrics(registry)))) {
			locks.acquire(LockRequest.of("order:42").group("order")).close();
		}
	}

	/** A query of Prometheus, parsed as far as necessary to check its names. */
	record PromQuery(String text) {

		private static final Set<String> WORDS = Set.of("sum", "max", "by", "rate", "increase");

		private static final Pattern SELECTOR = Pattern.compile("(\\w+)\\{([^}]*)}");

		private static final Pattern GROUPING = Pattern.compile("by \\(([^)]*)\\)");

		/** Parse a query, or the query of a dashboard variable. */
		static PromQuery of(String text) {
			return new PromQuery(text.replaceAll("label_values\\((\\w+(?:\\{[^}]*})?), (\\w+)\\)", "sum by ($2) ($1)"));
		}

		/** Return the queried series. */
		Set<String> series() {
			String bare = this.text.replaceAll("\"[^\"]*\"", "")
				.replaceAll("\\{[^}]*}", "")
				.replaceAll("\\[[^\\]]*]", "")
				.replaceAll(GROUPING.pattern(), "");
			Set<String> names = words(bare).collect(Collectors.toCollection(HashSet::new));
			names.removeAll(WORDS);
			return names;
		}

		/**
		 * Return the labels that select series.
		 * @return label names by the name of the series
		 */
		Map<String, Set<String>> selectors() {
			Map<String, Set<String>> selectors = new HashMap<>();
			SELECTOR.matcher(this.text).results().forEach((match) -> {
				String labels = match.group(2).replaceAll("\"[^\"]*\"", "");
				selectors.computeIfAbsent(match.group(1), (name) -> new HashSet<>()).addAll(words(labels).toList());
			});
			return selectors;
		}

		/** Return the labels of the result. */
		Set<String> groupings() {
			return GROUPING.matcher(this.text)
				.results()
				.flatMap((match) -> Arrays.stream(match.group(1).split(", ")))
				.collect(Collectors.toSet());
		}

		private static Stream<String> words(String text) {
			return Pattern.compile("[a-zA-Z_]\\w*").matcher(text).results().map(MatchResult::group);
		}

	}

}
