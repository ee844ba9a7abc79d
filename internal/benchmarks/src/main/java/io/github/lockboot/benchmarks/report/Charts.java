package io.github.lockboot.benchmarks.report;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The charts of the documentation, each drawn from stored measurements.
 */
final class Charts {

	private static final List<String> LOCKS = List.of("ours, release sent", "ours, release confirmed", "Redisson RLock",
			"Redisson fair lock", "Spring Integration, pub/sub", "Spring Integration, spin", "Lock4j RedisTemplate");

	private static final List<Integer> INSTANCES = List.of(1, 2, 4, 8, 16, 32);

	private Charts() {
	}

	/** Return the charts whose scenarios have been measured. */
	static List<Chart> of(Path measurements) {
		Map<String, Measurement> all = Measurement.readAll(measurements);
		return Stream.of(
				bars(all, "free-lock", "A free lock, one thread: sections a second", "threads-1-locks-1", "sections/s",
						LOCKS),
				lines(all, "instances", "Instances on one lock, no work in the sections: sections a second",
						"sections/s, all instances"),
				lines(all, "instances-redis", "Instances on one lock: microseconds of Redis for each section",
						"CPU us each, Redis"),
				bars(all, "instances-wait", "32 instances on one lock, 1 ms of work: ms of waiting, 99th percentile",
						"instances-32-work-1", "p99", LOCKS),
				bars(all, "work-1", "64 threads of a JVM on one lock, 1 ms of work: sections a second",
						"threads-64-locks-1-work-1", "sections/s", with("Redisson RLock behind a ReentrantLock")))
			.flatMap(Optional::stream)
			.toList();
	}

	private static List<String> with(String further) {
		return Stream.concat(Stream.of(further), LOCKS.stream()).toList();
	}

	private static Optional<Chart> bars(Map<String, Measurement> all, String name, String title, String scenario,
			String column, List<String> rows) {
		return Optional.ofNullable(all.get(scenario))
			.map((measurement) -> Chart.bars(name, title,
					rows.stream()
						.collect(Collectors.toMap((row) -> row, (row) -> bar(measurement, row, column),
								(one, other) -> one, LinkedHashMap::new))));
	}

	/** The spread was measured for the rate. */
	private static List<Double> bar(Measurement measurement, String row, String column) {
		Stream<Double> spread = column.startsWith("sections/s")
				? Stream.of(measurement.cell(row, "least to greatest").replace(",", "").split(" to "))
					.map(Double::valueOf)
				: Stream.empty();
		return Stream.concat(Stream.of(measurement.number(row, column)), spread).toList();
	}

	private static Optional<Chart> lines(Map<String, Measurement> all, String name, String title, String column) {
		List<Measurement> places = INSTANCES.stream()
			.map((instances) -> all.get("instances-" + instances))
			.filter(Objects::nonNull)
			.toList();
		return Optional.of(places)
			.filter((found) -> found.size() == INSTANCES.size())
			.map((found) -> Chart.lines(name, title, INSTANCES,
					with("ours, fair").stream()
						.collect(Collectors.toMap((row) -> row,
								(row) -> found.stream().map((place) -> place.number(row, column)).toList(),
								(one, other) -> one, LinkedHashMap::new))));
	}

}
