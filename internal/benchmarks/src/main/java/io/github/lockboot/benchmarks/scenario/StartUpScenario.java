package io.github.lockboot.benchmarks.scenario;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.github.lockboot.LockOperations;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.startup.ClassPath;
import io.github.lockboot.benchmarks.startup.Maven;
import io.github.lockboot.benchmarks.startup.StartedPeer;
import io.github.lockboot.benchmarks.startup.Starts;
import io.github.lockboot.cache.CacheOperations;

/**
 * The jars, start-up time, classes and heap that each starter adds to an application with
 * Spring Data Redis.
 */
final class StartUpScenario implements Scenario {

	private final boolean web;

	/**
	 * Create a scenario.
	 * @param web whether the application has a web server and Actuator
	 */
	StartUpScenario(boolean web) {
		this.web = web;
	}

	@Override
	public String id() {
		return this.web ? "start-up-web" : "start-up";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		ClassPath base = resolve();
		Path self = ClassPath.of(StartUpScenario.class);
		StartedPeer bare = new StartedPeer("Spring Data Redis alone", base.and(self));
		StartedPeer ours = new StartedPeer("**ours**",
				base.and(ClassPath.of(LockOperations.class)).and(ClassPath.of(CacheOperations.class)).and(self));
		StartedPeer redisson = new StartedPeer("Redisson starter", resolve("redisson").and(self));
		StartedPeer lock4j = new StartedPeer("Lock4j starter, RedisTemplate", resolve("lock4j").and(self));
		List<StartedPeer> peers = List.of(bare, ours, redisson, lock4j);
		int rounds = bed.effort().rounds() * 2 + 1;
		Starts starts = Starts.measure(bed.redis(), peers, this.web, rounds);
		return new ScenarioReport("Size and start-up" + (this.web ? " of a web application" : ""),
				"An application with `spring-boot-starter-data-redis`, "
						+ (this.web ? "`spring-boot-starter-web` and Actuator" : "without a web server")
						+ " and without annotated methods, started in fresh JVMs " + rounds
						+ " times with each starter, in turn; medians. Added means more than without a starter; CPU"
						+ " time is that of the whole process. An application alone connects when it asks Redis for the first"
						+ " time, with ours or Redisson's when it starts: so the next columns are measured after a first command, and the last ones after a"
						+ " first lock besides.",
				new Table(
						List.of("jars added", "KB added", "ms to start", "ms added", "CPU ms added",
								"CPU ms added, Redis asked", "classes added, Redis asked", "heap KB added, Redis asked",
								"ms added, first lock", "CPU ms added, first lock"),
						peers.stream().map((peer) -> row(peer, starts)).toList()),
				List.of(Requirement.atMost("jars added, 2", starts.addedJars(ours).entries().size(), 2),
						Requirement.atMost("CPU ms added more than by Redisson's, Redis asked, at most 0",
								starts.added("cpuAsked", ours) - starts.added("cpuAsked", redisson), 0)));
	}

	private ClassPath resolve(String... peers) {
		return Maven.resolve(
				Stream.concat(Stream.of(peers), this.web ? Stream.of("web") : Stream.empty()).toArray(String[]::new));
	}

	private static List<String> row(StartedPeer peer, Starts starts) {
		ClassPath jars = starts.addedJars(peer);
		return List.of(peer.label(), String.valueOf(jars.entries().size()), kilobytes(jars.bytes()),
				whole(starts.median("wall", peer)), whole(starts.added("wall", peer)), whole(starts.added("cpu", peer)),
				whole(starts.added("cpuAsked", peer)), whole(starts.added("classesAsked", peer)),
				kilobytes(starts.added("heapAsked", peer)), whole(starts.added("wallLocked", peer)),
				whole(starts.added("cpuLocked", peer)));
	}

	private static String kilobytes(double bytes) {
		return whole(bytes / 1e3);
	}

	private static String whole(double number) {
		return String.format(Locale.ROOT, "%,.0f", number);
	}

}
