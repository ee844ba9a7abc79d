package io.github.lockboot.simulation.server;

import java.util.Map;
import java.util.TreeMap;

/**
 * All commands on keys, by their names in upper case.
 */
final class DataCommands {

	static final Map<String, DataCommand> ALL = all();

	private DataCommands() {
	}

	private static Map<String, DataCommand> all() {
		Map<String, DataCommand> commands = new TreeMap<>();
		StringCommands.addTo(commands);
		CollectionCommands.addTo(commands);
		ScoredCommands.addTo(commands);
		return Map.copyOf(commands);
	}

}
