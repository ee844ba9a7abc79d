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
		int rounds = bed.effort().rounds() * 4 + 1;
		Starts starts = Starts.measure(bed.redis(), peers, this.web, rounds);
		return new ScenarioReport("Size and start-up" + (this.web ? " of a web application" : ""),
				"An application with `spring-boot-starter-data-redis`, "
						+ (this.web ? "`spring-boot-starter-web` and Actuator" : "without a web server")
						+ ", started in fresh JVMs " + rounds
						+ " times with each starter, in turn. Added means more than without a starter in the same round: the"
						+ " median, with the quartiles in brackets. CPU time is that of the whole process. The application alone"
						+ " connects with Lettuce when it asks Redis for the first time, which all do before the first lock: ours is"
						+ " that of an annotated method, the others' are acquired in code. Redisson's starter takes the place of"
						+ " Lettuce, which is then not loaded.",
				new Table(
						List.of("jars added", "KB added", "ms to start", "ms added", "CPU ms added",
								"CPU ms added, Redis asked", "ms added, first lock", "CPU ms added, first lock",
								"classes added, first lock", "heap KB added, first lock"),
						peers.stream().map((peer) -> row(peer, starts)).toList()),
				List.of(Requirement.atMost("jars added, 2", starts.addedJars(ours).entries().size(), 2),
						Requirement.atMost("CPU ms added more than by Redisson's up to the first lock, at most 0",
								starts.added("cpuLocked", ours) - starts.added("cpuLocked", redisson), 0)));
	}

	private ClassPath resolve(String... peers) {
		return Maven.resolve(
				Stream.concat(Stream.of(peers), this.web ? Stream.of("web") : Stream.empty()).toArray(String[]::new));
	}

	private static List<String> row(StartedPeer peer, Starts starts) {
		ClassPath jars = starts.addedJars(peer);
		return List.of(peer.label(), String.valueOf(jars.entries().size()), kilobytes(jars.bytes()),
				whole(starts.median("wall", peer)), starts.addedWithSpread("wall", peer),
				starts.addedWithSpread("cpu", peer), starts.addedWithSpread("cpuAsked", peer),
				starts.addedWithSpread("wallLocked", peer), starts.addedWithSpread("cpuLocked", peer),
				whole(starts.added("classesLocked", peer)), kilobytes(starts.added("heapLocked", peer)));
	}

	private static String kilobytes(double bytes) {
		return whole(bytes / 1e3);
	}

	private static String whole(double number) {
		return String.format(Locale.ROOT, "%,.0f", number);
	}

}
