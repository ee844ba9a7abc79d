package io.github.lockboot.faults;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisReplyException;
import io.github.lockboot.fixture.RedisServer;

/**
 * Redis servers of the locks of a run.
 */
interface RedisTopology extends Topology {

	/** Pattern of the workers' channels. */
	String CHANNELS = "lock:inbox:*";

	/** Show the state of a server. */
	List<List<String>> DIAGNOSTICS = List.of(List.of("INFO", "replication"), List.of("CLIENT", "LIST"),
			List.of("PUBSUB", "CHANNELS"));

	@Override
	List<RedisServer> servers();

	/** Return the servers that accept writes now. */
	List<RedisServer> masters();

	@Override
	RedisServer masterOf(String lock);

	@Override
	default List<RedisServer> serversWith(String lock) {
		return servers();
	}

	/** Return the key of a lock, whose value is the owner. */
	static String key(String lock) {
		return "lock:{" + lock + "}";
	}

	@Override
	default void cutConnections(String lock) {
		masterOf(lock).command("CLIENT", "KILL", "TYPE", "normal");
	}

	@Override
	default Runnable makeReadOnly(String lock) {
		RedisServer victim = masterOf(lock);
		victim.command("REPLICAOF", "127.0.0.1", "1");
		return () -> victim.command("REPLICAOF", "NO", "ONE");
	}

	@Override
	default boolean mayWait(Workers.WorkerProcess worker, String lock) {
		return masterOf(lock).command("LRANGE", key(lock) + ":q", "0", "-1") instanceof List<?> owners
				&& owners.stream().anyMatch((owner) -> worker.is(String.valueOf(owner)));
	}

	/** Counts the scripts. */
	@Override
	default long requests() {
		return masters().stream().map(RedisServer::commandStats).mapToLong(RedisTopology::scripts).sum();
	}

	private static long scripts(CommandCounts counts) {
		return counts.of("evalsha") + counts.of("eval");
	}

	/** Return all keys except tokens that expire. */
	@Override
	default Set<String> leftovers() {
		return masters().stream().flatMap(RedisTopology::leftovers).collect(Collectors.toSet());
	}

	private static Stream<String> leftovers(RedisServer master) {
		return master.list("KEYS", "*")
			.stream()
			.filter((key) -> !key.endsWith(":f") || Long.valueOf(-1).equals(master.command("PTTL", key)));
	}

	@Override
	default List<String> tokensAhead(long micros) {
		return masters().stream()
			.map((master) -> master.list("EVAL", HistoryRecorder.script("tokens-ahead.lua"), "0",
					String.valueOf(micros)))
			.flatMap(List::stream)
			.toList();
	}

	/** Roles, connections, channels and the queues of the locks. */
	@Override
	default String diagnostics() {
		return servers().stream().map(RedisTopology::replies).collect(Collectors.joining());
	}

	@Override
	default int subscribedWorkers() {
		return masters().get(0).list("PUBSUB", "CHANNELS", CHANNELS).size();
	}

	private static String replies(RedisServer server) {
		Stream<List<String>> queues = LockNames.CONTENDED.stream()
			.map((lock) -> List.of("LRANGE", key(lock) + ":q", "0", "-1"));
		return Stream.concat(DIAGNOSTICS.stream(), queues)
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
