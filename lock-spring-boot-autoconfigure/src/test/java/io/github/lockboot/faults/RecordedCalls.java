package io.github.lockboot.faults;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.springframework.core.io.ClassPathResource;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

/**
 * The calls of the scripts that workers of the fault suite make on a real server, for the
 * simulation. The scripts of these workers record themselves.
 */
public final class RecordedCalls {

	private static final String KEY = "recorded";

	private static final List<String> SCRIPTS = List.of("acquire.lua", "keep-queued.lua", "renew.lua", "release.lua",
			"downgrade.lua", "force.lua", "inspect.lua", "batch.lua");

	private static final String SHIPPED = "io/github/lockboot/redis/";

	private static final int WORKERS = 2;

	private static final int PAGE = 500;

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private RecordedCalls() {
	}

	/**
	 * Let workers use locks while the server forgets its scripts, connections are cut and
	 * a worker is killed.
	 * @param folder an empty folder
	 * @param count how many calls to record, or fewer on a very busy machine
	 * @return each call as Redis would return it: the file of its script, the keys, the
	 * arguments, the time of its begin, the times that it saw, the keys before and after
	 * it, how many milliseconds it ran, what it published, and the reply
	 */
	public static List<String> of(Path folder, int count) {
		writeScripts(folder.resolve(SHIPPED));
		List<String> options = List.of("-cp", folder + File.pathSeparator + System.getProperty("java.class.path"));
		try (StandaloneTopology topology = new StandaloneTopology();
				RedisServer history = RedisFixture.newServer();
				Workers workers = new Workers(WORKERS, options, topology.address(), history.port(), new Random(1))) {
			RedisServer server = topology.servers().get(0);
			await(server, count / 4);
			server.command("SCRIPT", "FLUSH");
			await(server, count / 2);
			topology.cutConnections("any");
			workers.processes().get(0).jvm().kill();
			await(server, count);
			List<String> calls = new ArrayList<>();
			for (int from = 0; from < count; from += PAGE) {
				((List<?>) Objects.requireNonNull(server.command("LRANGE", KEY, "" + from, "" + (from + PAGE - 1))))
					.forEach((call) -> calls.add(String.valueOf(call)));
			}
			return calls;
		}
	}

	private static void await(RedisServer server, int count) {
		try {
			Awaitility.await()
				.atMost(PATIENCE)
				.until(() -> server.command("LLEN", KEY) instanceof Long length && length >= count);
		}
		catch (ConditionTimeoutException ex) {
			// fewer are enough
		}
	}

	private static void writeScripts(Path folder) {
		try {
			Files.createDirectories(folder);
			Files.writeString(folder.resolve("constants.lua"),
					read("recorder-begin.lua") + read("/" + SHIPPED + "constants.lua"));
			for (String script : SCRIPTS) {
				Files.writeString(folder.resolve(script),
						read("/" + SHIPPED + script) + read("recorder-end.lua").replace("FILE", "'" + script + "'"));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String read(String file) throws IOException {
		return new ClassPathResource(file, RecordedCalls.class).getContentAsString(StandardCharsets.UTF_8);
	}

}
