package io.github.lockboot.simulation.server;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The subscribers of a server. Sharded channels are separate from the others.
 */
final class Channels {

	private final Listener listener;

	/** The connections in the order of their subscriptions, by kind and channel. */
	private final Map<String, Set<Integer>> subscribers = new TreeMap<>();

	Channels(Listener listener) {
		this.listener = listener;
	}

	/** Subscribes to channels, or the opposite; without channels, to none any more. */
	List<Object> change(int connection, String command, String[] channels) {
		boolean ends = command.endsWith("UNSUBSCRIBE");
		String kind = (command.startsWith("SS") || command.startsWith("SU") && !command.startsWith("SUB")) ? "smessage"
				: "message";
		if (ends && channels.length == 0) {
			remove(connection);
		}
		List<Object> replies = new ArrayList<>();
		for (String channel : channels) {
			if (ends) {
				this.subscribers.computeIfPresent(key(kind, channel), (name, connections) -> {
					connections.remove(connection);
					return connections;
				});
			}
			else {
				this.subscribers.computeIfAbsent(key(kind, channel), (name) -> new LinkedHashSet<>()).add(connection);
			}
			long count = this.subscribers.values().stream().filter((all) -> all.contains(connection)).count();
			replies.add(List.of(command.toLowerCase(Locale.ROOT), channel, count));
		}
		return replies;
	}

	void remove(int connection) {
		this.subscribers.values().forEach((connections) -> connections.remove(connection));
	}

	/** Delivers a message; returns to how many. */
	long publish(String kind, String channel, String message) {
		List<Integer> receivers = List.copyOf(this.subscribers.getOrDefault(key(kind, channel), Set.of()));
		receivers.forEach((connection) -> this.listener.message(connection, kind, channel, message));
		return receivers.size();
	}

	private static String key(String kind, String channel) {
		return kind + ' ' + channel;
	}

}
