package io.github.lockboot.cache.codec;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.PriorityBlockingQueue;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.Internal;

/**
 * Compares a value that was written with the value that was read: collections, maps and
 * arrays by their elements, other objects of Java by {@code equals} and their text, and
 * objects of the application, including its collections, by all fields that are not
 * transient. What it cannot compare, such as the fields of a collection that comes back
 * as another class, is a difference.
 */
@Internal
public final class ValueDifference {

	/** Packages of collections whose fields are only how they keep their elements. */
	private static final List<String> CONTAINERS = List.of("com.google.common.collect.", "kotlin.collections.",
			"org.eclipse.collections.", "org.hibernate.collection.");

	/** Their behaviour depends on more than their elements in their order. */
	private static final List<Class<?>> SPECIAL = List.of(PriorityQueue.class, PriorityBlockingQueue.class);

	private final Map<Class<?>, List<Field>> fields = new ConcurrentHashMap<>();

	/**
	 * Return the first difference and its place, without values; {@code null} for none.
	 */
	public @Nullable String find(Object written, Object read) {
		return new Comparison().compare("", written, read);
	}

	/** Return the fields of application classes, including superclasses. */
	private List<Field> fieldsOf(Class<?> type) {
		List<Field> known = this.fields.get(type);
		return (known != null) ? known : this.fields.computeIfAbsent(type,
				(found) -> ValueTypes.state(found).peek(ReflectionUtils::makeAccessible).toList());
	}

	private final class Comparison {

		/** Compared values, since values may be cyclic. */
		private final Map<Object, Object> seen = new IdentityHashMap<>();

		private @Nullable String compare(Object place, @Nullable Object written, @Nullable Object read) {
			if (written == read || (written instanceof String && written.equals(read))) {
				return null;
			}
			if (written == null || read == null || kind(written) != kind(read) || isOtherwise(written, read)) {
				return difference(place, written, read);
			}
			if (written instanceof Map.Entry<?, ?> entry) {
				Map.Entry<?, ?> other = (Map.Entry<?, ?>) read;
				String found = compare(place, entry.getKey(), other.getKey());
				found = (found != null) ? found : compare(place, entry.getValue(), other.getValue());
				return (found != null) ? found : compareOwn(place, written, read);
			}
			if (written instanceof Optional<?> optional) {
				return compare(place, optional.orElse(null), ((Optional<?>) read).orElse(null));
			}
			Class<?> ofJava = ofJava(written);
			Collection<?> elements = elements(written);
			if (elements != null) {
				String found = compareElements(written, elements, read, Objects.requireNonNull(elements(read)));
				return (found != null) ? found : compareOwn(place, written, read);
			}
			if (ofJava != Object.class && ofJava != Record.class && !isEqual(written, read)) {
				return difference(place, written, read);
			}
			return (this.seen.put(written, read) == null) ? compareFields(written, read) : null;
		}

		/** Compare what a collection or pair has beside its elements. */
		private @Nullable String compareOwn(Object place, Object written, Object read) {
			Class<?> type = written.getClass();
			if (ValueTypes.isOfJava(type) || CONTAINERS.stream().anyMatch(type.getName()::startsWith)) {
				return null;
			}
			if (type != read.getClass()) {
				return fieldsOf(type).isEmpty() ? null : difference(place, written, read);
			}
			return (this.seen.put(written, read) == null) ? compareFields(written, read) : null;
		}

		private @Nullable String compareFields(Object written, Object read) {
			for (Field field : fieldsOf(written.getClass())) {
				String found = compare(field, ReflectionUtils.getField(field, written),
						ReflectionUtils.getField(field, read));
				if (found != null) {
					return found;
				}
			}
			return null;
		}

		/**
		 * Compare elements in order, but each element of a set or map with the equal one,
		 * unless it has lost its order.
		 */
		private @Nullable String compareElements(Object container, Collection<?> written, Object other,
				Collection<?> read) {
			if (written.size() != read.size()) {
				return "the size of a collection: " + written.size() + " elements come back as " + read.size();
			}
			Map<@Nullable Object, @Nullable Object> known = new HashMap<>();
			if ((container instanceof Set<?> || container instanceof Map<?, ?>)
					&& (!isOrdered(container) || container.getClass() == other.getClass())) {
				read.forEach((element) -> known.put(identity(container, element), element));
			}
			Iterator<?> others = read.iterator();
			for (Object element : written) {
				Object next = known.getOrDefault(identity(container, element), others.next());
				String found = compare("an element of a collection", element, next);
				if (found != null) {
					return found;
				}
			}
			return null;
		}

	}

	/** Return whether two objects of one class of Java are the same. */
	private static boolean isEqual(Object written, Object read) {
		// the text of an address has its name, which equals ignores
		return Objects.deepEquals(written, read)
				&& (written.getClass().isArray() || written.toString().contentEquals(read.toString()));
	}

	/** Return the class itself, or its next superclass that is part of Java. */
	private static Class<?> ofJava(Object value) {
		Class<?> type = value.getClass();
		while (!ValueTypes.isOfJava(type)) {
			type = type.getSuperclass();
		}
		return type;
	}

	private static @Nullable Object identity(Object container, @Nullable Object element) {
		return (container instanceof Map<?, ?> && element instanceof Map.Entry<?, ?> entry) ? entry.getKey() : element;
	}

	private static @Nullable Collection<?> elements(Object value) {
		return (value instanceof Object[] several) ? Arrays.asList(several) : (value instanceof Map<?, ?> map)
				? map.entrySet() : (value instanceof Collection<?> collection) ? collection : null;
	}

	private static Class<?> kind(Object value) {
		return (value instanceof Map<?, ?>) ? Map.class
				: (value instanceof Set<?>) ? Set.class : (value instanceof Collection<?>) ? Collection.class
						: (value instanceof Map.Entry<?, ?>) ? Map.Entry.class : value.getClass();
	}

	/** Return whether two containers with the same elements do not behave the same. */
	private static boolean isOtherwise(Object written, Object read) {
		if (SPECIAL.stream().anyMatch((type) -> type.isInstance(written) && !type.isInstance(read))
				|| written instanceof IdentityHashMap<?, ?>) {
			return true;
		}
		if (written instanceof Properties properties && properties.stringPropertyNames().size() != properties.size()) {
			// it has defaults
			return true;
		}
		Object order = comparator(written);
		Object other = comparator(read);
		return (order == null || other == null) ? order != other : order.getClass() != other.getClass();
	}

	private static @Nullable Object comparator(Object value) {
		return (value instanceof SortedMap<?, ?> map) ? map.comparator()
				: (value instanceof SortedSet<?> set) ? set.comparator()
						: (value instanceof PriorityQueue<?> queue) ? queue.comparator()
								: (value instanceof PriorityBlockingQueue<?> queue) ? queue.comparator() : null;
	}

	private static boolean isOrdered(Object value) {
		return value instanceof LinkedHashMap<?, ?> || value instanceof LinkedHashSet<?>
				|| value instanceof SortedMap<?, ?> || value instanceof SortedSet<?>;
	}

	private static String difference(Object place, @Nullable Object written, @Nullable Object read) {
		String where = (place instanceof Field field)
				? "field " + field.getName() + " of " + field.getDeclaringClass().getName() : place.toString();
		String to = (read == null) ? "null"
				: (written != null && written.getClass() == read.getClass()) ? "another one" : "a " + nameOf(read);
		return (where.isEmpty() ? "" : where + ": ") + ((written != null) ? "a " + nameOf(written) : "null")
				+ " comes back as " + to;
	}

	private static String nameOf(Object value) {
		return value.getClass().getTypeName();
	}

}
