package io.github.lockboot.faults;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisServer;

/**
 * Redis servers of the locks of a run.
 */
interface RedisTopology extends Topology {

	/** Pattern of the workers' channels. */
	String CHANNELS = "lock:inbox:*";

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
		return ((List<?>) Objects.requireNonNull(master.command("KEYS", "*"))).stream()
			.map(String::valueOf)
			.filter((key) -> !key.endsWith(":f") || Long.valueOf(-1).equals(master.command("PTTL", key)));
	}

	@Override
	default List<String> tokensAhead(long micros) {
		return masters().stream()
			.map((master) -> master.command("EVAL", HistoryRecorder.script("tokens-ahead.lua"), "0",
					String.valueOf(micros)))
			.flatMap((sentences) -> ((List<?>) Objects.requireNonNull(sentences)).stream())
			.map(String::valueOf)
			.toList();
	}

	@Override
	default String diagnostics() {
		return ServerDiagnostics.of(this);
	}

}
