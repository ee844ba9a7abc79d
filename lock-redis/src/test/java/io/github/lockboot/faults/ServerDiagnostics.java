package io.github.lockboot.faults;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.lockboot.fixture.RedisReplyException;
import io.github.lockboot.fixture.RedisServer;

/**
 * State of the servers after a failed run: their roles, connections, channels and the
 * queues of the locks.
 */
final class ServerDiagnostics {

	private static final List<List<String>> COMMANDS = List.of(List.of("INFO", "replication"),
			List.of("CLIENT", "LIST"), List.of("PUBSUB", "CHANNELS"));

	private ServerDiagnostics() {
	}

	/**
	 * Query all servers.
	 * @param topology the servers
	 * @return the replies, in several lines
	 */
	static String of(RedisTopology topology) {
		return topology.servers().stream().map(ServerDiagnostics::replies).collect(Collectors.joining());
	}

	private static String replies(RedisServer server) {
		Stream<List<String>> queues = LockNames.CONTENDED.stream()
			.map((lock) -> List.of("LRANGE", RedisTopology.key(lock) + ":q", "0", "-1"));
		return Stream.concat(COMMANDS.stream(), queues)
			.map((command) -> command + ": " + reply(server, command) + "\n")
			.collect(Collectors.joining("", server + "\n", ""));
	}

	private static String reply(RedisServer server, List<String> command) {
		try {
			return String.valueOf(server.command(command.toArray(String[]::new)));
		}
		catch (UncheckedIOException | RedisReplyException ex) {
			return ex.toString();
		}
	}

}
