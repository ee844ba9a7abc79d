package io.github.lockboot.benchmarks.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.startup.ClassPath;
import io.github.lockboot.benchmarks.startup.Maven;
import io.github.lockboot.benchmarks.startup.StartedPeer;
import io.github.lockboot.benchmarks.startup.Starts;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.redis.RedisLockTemplate;

/**
 * The jars, start-up time, classes and heap that each starter adds to an application with
 * Spring Data Redis.
 *
 * @param web whether the application has a web server and Actuator
 */
record StartUpScenario(boolean web) implements Scenario {

	private static final String IN_PLACE_OF_LETTUCE = "Redisson's starter takes the place of Lettuce, which the"
			+ " application otherwise loads";

	/** A class of each jar of this library. */
	private static final List<Class<?>> OURS = List.of(LockOperations.class, RedisLockTemplate.class,
			DistributedLock.class, LockProperties.class, CacheOperations.class);

	@Override
	public String id() {
		return this.web ? "start-up-web" : "start-up";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		List<Path> self = List.of(ClassPath.jarOf(StartUpScenario.class));
		ClassPath base = resolve().and(self);
		StartedPeer bare = new StartedPeer("Spring Data Redis alone", base, null);
		StartedPeer ours = new StartedPeer("**ours**", base.and(OURS.stream().map(ClassPath::jarOf).toList()), null);
		StartedPeer redisson = new StartedPeer("Redisson starter", resolve("redisson").and(self), null);
		StartedPeer lock4j = new StartedPeer("Lock4j starter, RedisTemplate", resolve("lock4j").and(self), null);
		List<StartedPeer> peers = List.of(bare, ours, redisson, lock4j);
		List<StartedPeer> cached = Stream.of(bare, ours, redisson).map(StartUpScenario::withClassCache).toList();
		int rounds = bed.effort().rounds() * 4 + 1;
		Starts starts = Starts.measure(bed.redis(), peers, this.web, rounds);
		Starts faster = Starts.measure(bed.redis(), cached, this.web, rounds);
		return new ScenarioReport("Size and start-up" + (this.web ? " of a web application" : ""),
				"An application with `spring-boot-starter-data-redis`, "
						+ (this.web ? "`spring-boot-starter-web` and Actuator" : "without a web server")
						+ ", started in fresh JVMs " + rounds
						+ " times with each starter, in turn. Added means more than without a starter in the same round: the"
						+ " median, with the quartiles in brackets. CPU time is that of the whole process. The application alone"
						+ " connects with Lettuce when it asks Redis for the first time, which all do before the first lock: ours is"
						+ " that of an annotated method, the others' are acquired in code. Redisson's starter takes the place of"
						+ " Lettuce, which is then not loaded. A class cache is made by a first start with"
						+ " `-XX:ArchiveClassesAtExit`; the rows with one are compared with the application alone with one.",
				new Table(
						List.of("jars added", "KB added", "ms to start", "ms added", "CPU ms added",
								"CPU ms added, Redis asked", "ms added, first lock", "CPU ms added, first lock",
								"classes added, first lock", "heap KB added, first lock"),
						Stream
							.concat(peers.stream().map((peer) -> row(peer, starts)),
									cached.stream().map((peer) -> row(peer, faster)))
							.toList()),
				List.of(Requirement.atMost("jars of other projects added, 0",
						starts.addedJars(ours).entries().size() - OURS.size(), 0),
						Requirement
							.atMost("CPU ms added more than by Redisson's up to the first lock, at most 0",
									starts.added("cpuLocked", ours) - starts.added("cpuLocked", redisson), 0)
							.because(IN_PLACE_OF_LETTUCE),
						Requirement.atMost("the same with a class cache, at most 0",
								faster.added("cpuLocked", cached.get(1)) - faster.added("cpuLocked", cached.get(2)), 0)
							.because(IN_PLACE_OF_LETTUCE)));
	}

	private static StartedPeer withClassCache(StartedPeer peer) {
		try {
			Path cache = Files.createTempDirectory("class-cache").resolve("classes.jsa");
			cache.toFile().deleteOnExit();
			return new StartedPeer(peer.label() + ", class cache", peer.classPath(), cache);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
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
