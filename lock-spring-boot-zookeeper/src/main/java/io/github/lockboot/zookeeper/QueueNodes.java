package io.github.lockboot.zookeeper;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The nodes in the queue of a lock, in order. The first node owns the lock. If it shares
 * the lock, all sharing nodes before the first exclusive node also own the lock.
 *
 * @param changeId transaction that last created or removed a node; zero if there was none
 */
record QueueNodes(List<QueueNode> nodes, long changeId, Map<String, Integer> places) {

	static final QueueNodes NONE = new QueueNodes(List.of(), 0);

	QueueNodes(List<QueueNode> nodes, long changeId) {
		this(nodes, changeId, new HashMap<>());
		nodes.forEach((node) -> this.places.put(node.name(), this.places.size()));
	}

	static QueueNodes of(List<String> names, long changeId) {
		return new QueueNodes(names.stream()
			.map(QueueNode::parse)
			.filter(Objects::nonNull)
			.sorted(Comparator.comparingInt(QueueNode::sequence))
			.toList(), changeId);
	}

	/** Return whether the names do not determine the order. */
	boolean areUnordered() {
		return this.nodes.stream().anyMatch(QueueNode::isSequenceOver);
	}

	/**
	 * Return the nodes that still exist, in the order of their creation.
	 * @param created the transactions that created the nodes
	 */
	QueueNodes inOrder(Map<QueueNode, Long> created) {
		return new QueueNodes(
				this.nodes.stream().filter(created::containsKey).sorted(Comparator.comparing(created::get)).toList(),
				this.changeId);
	}

	/** Return the same nodes with an owner that shares the lock. */
	QueueNodes withSharedOwner() {
		List<QueueNode> nodes = new ArrayList<>(this.nodes);
		nodes.set(0, nodes.get(0).withShared());
		return new QueueNodes(nodes, this.changeId, this.places);
	}

	boolean isEmpty() {
		return this.nodes.isEmpty();
	}

	QueueNode owner() {
		return this.nodes.get(0);
	}

	/** Return the nodes whose names start with a prefix. */
	List<QueueNode> startingWith(String prefix) {
		return this.nodes.stream().filter((node) -> node.name().startsWith(prefix)).toList();
	}

	/** Return the place of a node, or -1. */
	int placeOf(String name) {
		return this.places.getOrDefault(name, -1);
	}

	/**
	 * Return the nearest node for whose end a node at a place has to wait; {@code null}
	 * if the node at the place owns the lock.
	 */
	@Nullable QueueNode blocker(int place, boolean shared) {
		for (int i = place - 1; i >= 0; i--) {
			if (!shared || !this.nodes.get(i).shared()) {
				return this.nodes.get(i);
			}
		}
		return null;
	}

	List<QueueNode> owners() {
		int end = isEmpty() ? 0 : 1;
		while (end > 0 && end < this.nodes.size() && this.nodes.get(end - 1).shared() && this.nodes.get(end).shared()) {
			end++;
		}
		return this.nodes.subList(0, end);
	}

	/** Return how many nodes wait behind a node that owns the lock. */
	long waitingBehind(int place) {
		int behind = place + 1;
		while (this.nodes.get(place).shared() && behind < this.nodes.size() && this.nodes.get(behind).shared()) {
			behind++;
		}
		return this.nodes.size() - behind;
	}

}
