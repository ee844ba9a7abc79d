package io.github.lockboot.benchmarks.startup;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;

/**
 * An application with one library, or none, to be started in its own JVMs.
 *
 * @param label the name in tables, as Markdown
 * @param classPath the class path, of jars
 * @param cache the class cache of the JVM, which the first start creates; {@code null} to
 * start without one
 */
public record StartedPeer(String label, ClassPath classPath, @Nullable Path cache) {

	private static final Duration LIMIT = Duration.ofMinutes(2);

	/**
	 * Start the application once.
	 * @param redis the server, whose address is in Spring Boot's properties
	 * @return milliseconds since the start of the JVM ({@code wall}), milliseconds of CPU
	 * time ({@code cpu}) and {@code classes} loaded when it has started; the same CPU
	 * time ({@code cpuAsked}) when it has asked Redis once; and all of them
	 * ({@code wallLocked}, {@code cpuLocked}, {@code classesLocked}) and bytes of heap
	 * after a collection ({@code heapLocked}) when the application has acquired and
	 * released a lock after that
	 */
	public Figures start(RedisServer redis, boolean web) {
		Stream<String> options = Stream.of("-cp", this.classPath.text(), "-Xms256m", "-Xmx256m", "-XX:+UseSerialGC");
		Stream<String> cached = (this.cache != null) ? Stream
			.of((Files.exists(this.cache) ? "-XX:SharedArchiveFile=" : "-XX:ArchiveClassesAtExit=") + this.cache)
				: Stream.empty();
		try (JvmProcess process = JvmProcess.start(Stream.concat(options, cached).toList(), StartedApplication.class,
				"--spring.main.web-application-type=" + (web ? "servlet" : "none"), "--server.port=0",
				"--spring.main.banner-mode=off", "--spring.data.redis.host=" + redis.host(),
				"--spring.data.redis.port=" + redis.port())) {
			String line = process.awaitLine("^" + StartedApplication.STARTED, LIMIT);
			process.awaitExit(LIMIT);
			return Figures.parse(line.substring(StartedApplication.STARTED.length()));
		}
	}

}
