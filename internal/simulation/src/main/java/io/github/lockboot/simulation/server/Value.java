package io.github.lockboot.simulation.server;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The value of a key. Its collection is never changed: a command that writes puts another
 * value in its place, so that a snapshot of the keys is a copy of their map.
 */
sealed interface Value {

	boolean isEmpty();

	/** The replies to {@code TYPE}. */
	Map<Class<?>, String> TYPES = Map.of(Text.class, "string", Hash.class, "hash", Sequence.class, "list",
			Members.class, "set", Scored.class, "zset");

	default String type() {
		return Objects.requireNonNull(TYPES.get(getClass()));
	}

	record Text(String text) implements Value {

		@Override
		public boolean isEmpty() {
			return false;
		}

	}

	record Hash(Map<String, String> fields) implements Value {

		static final Hash EMPTY = new Hash(Map.of());

		Map<String, String> copy() {
			return new LinkedHashMap<>(this.fields);
		}

		@Override
		public boolean isEmpty() {
			return this.fields.isEmpty();
		}

	}

	record Sequence(List<String> elements) implements Value {

		static final Sequence EMPTY = new Sequence(List.of());

		List<String> copy() {
			return new ArrayList<>(this.elements);
		}

		@Override
		public boolean isEmpty() {
			return this.elements.isEmpty();
		}

	}

	record Members(Set<String> members) implements Value {

		static final Members EMPTY = new Members(Set.of());

		Set<String> copy() {
			return new LinkedHashSet<>(this.members);
		}

		@Override
		public boolean isEmpty() {
			return this.members.isEmpty();
		}

	}

	record Scored(Map<String, Double> scores) implements Value {

		static final Scored EMPTY = new Scored(Map.of());

		Map<String, Double> copy() {
			return new LinkedHashMap<>(this.scores);
		}

		/** The members by their scores, equal ones by their names. */
		List<String> inOrder() {
			return this.scores.entrySet()
				.stream()
				.sorted(Map.Entry.<String, Double>comparingByValue()
					.thenComparing(Map.Entry.comparingByKey(Comparator.naturalOrder())))
				.map(Map.Entry::getKey)
				.toList();
		}

		@Override
		public boolean isEmpty() {
			return this.scores.isEmpty();
		}

	}

}
