package io.github.lockboot.cache.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.Internal;

/**
 * Compares a value that was written with the value that was read: collections, maps and
 * arrays by their elements, other objects of Java by {@code equals} and their text, and
 * objects of the application by all fields that are not transient.
 */
@Internal
public final class ValueDifference {

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
			if (written == null || read == null || kind(written) != kind(read)
					|| (isSortedOtherwise(written) && !isSortedOtherwise(read))) {
				return difference(place, written, read);
			}
			if (written instanceof Map.Entry<?, ?> entry) {
				Map.Entry<?, ?> other = (Map.Entry<?, ?>) read;
				String found = compare(place, entry.getKey(), other.getKey());
				return (found != null) ? found : compare(place, entry.getValue(), other.getValue());
			}
			if (written instanceof Optional<?> optional) {
				return compare(place, optional.orElse(null), ((Optional<?>) read).orElse(null));
			}
			Class<?> ofJava = ofJava(written);
			Collection<?> elements = elements(written);
			if (elements != null) {
				String found = compareElements(written, elements, Objects.requireNonNull(elements(read)));
				// an abstract class leaves its contents to the fields of its subclass
				boolean own = ofJava != Object.class && !Modifier.isAbstract(ofJava.getModifiers())
						&& written.getClass() == read.getClass();
				return (found == null && own) ? compareFields(written, read) : found;
			}
			if (ofJava != Object.class && ofJava != Record.class && !isEqual(written, read)) {
				return difference(place, written, read);
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
		 * Compare elements in order, but each element of a set or map with the equal one.
		 */
		private @Nullable String compareElements(Object container, Collection<?> written, Collection<?> read) {
			if (written.size() != read.size()) {
				return "the size of a collection: " + written.size() + " elements come back as " + read.size();
			}
			Map<@Nullable Object, @Nullable Object> known = new HashMap<>();
			if (container instanceof Set<?> || container instanceof Map<?, ?>) {
				read.forEach((element) -> known.put(identity(container, element), element));
			}
			Iterator<?> others = read.iterator();
			for (Object element : written) {
				Object other = known.getOrDefault(identity(container, element), others.next());
				String found = compare("an element of a collection", element, other);
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

	private static boolean isSortedOtherwise(Object value) {
		return (value instanceof SortedMap<?, ?> map && map.comparator() != null)
				|| (value instanceof SortedSet<?> set && set.comparator() != null)
				|| (value instanceof PriorityQueue<?> queue && queue.comparator() != null);
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
