package io.github.lockboot.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * One instance of the sample in a separate JVM.
 */
final class SampleProcess implements AutoCloseable {

	/** The longest time until an instance is ready. */
	static final Duration START = Duration.ofSeconds(300);

	private static final Pattern READY = Pattern.compile("Ready at (http://\\S+),");

	private final HttpClient http = HttpClient.newHttpClient();

	/** A separate one, because other tests start instances at the same time. */
	private final Path log;

	private final Process process;

	private SampleProcess(Path folder, int redisPort, String... arguments) {
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
				// as the sample starts its instances: they are ready sooner
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				SampleApplication.class.getName(), "--sample.redis.port=" + redisPort, "--sample.data=" + folder,
				// a JVM that starts on a busy machine needs a long time to
				// connect to Redis
				"--lock.redis.command-timeout=10s", "--lock.cache.command-timeout=10s", "--lock.cache.wait-timeout=60s",
				"--lock.cache.lease=60s"));
		command.addAll(List.of(arguments));
		for (String standard : List.of("--server.port=0", "--sample.instances=1", "--sample.peers=false")) {
			String name = standard.substring(0, standard.indexOf('=') + 1);
			if (command.stream().noneMatch((argument) -> argument.startsWith(name))) {
				command.add(standard);
			}
		}
		try {
			this.log = Files.createTempFile(Path.of("target"), "sample-", ".log");
			this.process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(this.log.toFile())
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static SampleProcess start(Path folder, int redisPort, String... arguments) {
		return new SampleProcess(folder, redisPort, arguments);
	}

	/** A port outside the range of outgoing connections. */
	static int freePort() {
		return ThreadLocalRandom.current().ints(10_500, 12_000).filter(SampleProcess::isFree).findFirst().orElseThrow();
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port)) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** Return the address of the instance, which it prints when it is ready. */
	String url() {
		return findUrl().orElseThrow(() -> new IllegalStateException("The instance is not ready: see " + this.log));
	}

	private Optional<String> findUrl() {
		try {
			return READY.matcher(Files.readString(this.log)).results().findFirst().map((match) -> match.group(1));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	List<String> instances() {
		if (!this.process.isAlive()) {
			throw new IllegalStateException("The instance ended: see " + this.log);
		}
		if (findUrl().isEmpty()) {
			return List.of();
		}
		return this.http.sendAsync(request("/instances").GET().build(), BodyHandlers.ofString())
			.thenApply((response) -> json(response).get("all").valueStream().map(JsonNode::stringValue).toList())
			.exceptionally((ex) -> List.of())
			.join();
	}

	JsonNode get(String path) {
		return this.http.sendAsync(request(path).GET().build(), BodyHandlers.ofString())
			.thenApply(SampleProcess::json)
			.join();
	}

	JsonNode post(String path) {
		return postAsync(path).join();
	}

	String text(String path) {
		return this.http.sendAsync(request(path).POST(BodyPublishers.noBody()).build(), BodyHandlers.ofString())
			.thenApply(HttpResponse::body)
			.join();
	}

	CompletableFuture<JsonNode> postAsync(String path) {
		return this.http.sendAsync(request(path).POST(BodyPublishers.noBody()).build(), BodyHandlers.ofString())
			.thenApply(SampleProcess::json);
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(url() + path));
	}

	private static JsonNode json(HttpResponse<String> response) {
		return JsonMapper.shared().readTree(response.body());
	}

	void kill() {
		this.process.destroyForcibly();
	}

	void freeze() throws IOException, InterruptedException {
		new ProcessBuilder("kill", "-STOP", String.valueOf(this.process.pid())).start().waitFor();
	}

	@Override
	public void close() {
		this.process.destroy();
		this.process.onExit().completeOnTimeout(this.process, 10, TimeUnit.SECONDS).join();
		this.process.destroyForcibly();
	}

}
