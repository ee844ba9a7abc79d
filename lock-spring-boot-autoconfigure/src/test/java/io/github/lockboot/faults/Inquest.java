package io.github.lockboot.faults;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.lockboot.fixture.RedisReplyException;
import io.github.lockboot.fixture.RedisServer;

/**
 * What the servers say after a run has failed: their roles, who is connected to them and
 * who waits in their queues.
 */
final class Inquest {

	private static final List<List<String>> QUESTIONS = List.of(List.of("INFO", "replication"),
			List.of("CLIENT", "LIST"), List.of("PUBSUB", "CHANNELS"));

	private Inquest() {
	}

	/**
	 * Ask all servers.
	 * @param topology the servers
	 * @return many lines
	 */
	static String into(Topology topology) {
		return topology.servers().stream().map(Inquest::answers).collect(Collectors.joining());
	}

	private static String answers(RedisServer server) {
		Stream<List<String>> queues = LockNames.CONTENDED.stream()
			.map((lock) -> List.of("LRANGE", Scene.key(lock) + ":q", "0", "-1"));
		return Stream.concat(QUESTIONS.stream(), queues)
			.map((question) -> question + ": " + answer(server, question) + "\n")
			.collect(Collectors.joining("", server + "\n", ""));
	}

	private static String answer(RedisServer server, List<String> question) {
		try {
			return String.valueOf(server.command(question.toArray(String[]::new)));
		}
		catch (UncheckedIOException | RedisReplyException ex) {
			return ex.toString();
		}
	}

}
