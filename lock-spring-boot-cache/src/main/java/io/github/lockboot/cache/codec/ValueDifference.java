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
import java.util.function.Function;

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
	 * Compare two values.
	 * @return the first difference and its place, without the values; or {@code null} if
	 * there is none
	 */
	public @Nullable String find(Object written, Object read) {
		return new Comparison().compare("", written, read);
	}

	/** Returns the fields of application classes, including superclasses. */
	private List<Field> fieldsOf(Class<?> type) {
		List<Field> known = this.fields.get(type);
		return (known != null) ? known : this.fields.computeIfAbsent(type,
				(found) -> ValueTypes.state(found).peek(ReflectionUtils::makeAccessible).toList());
	}

	/** One comparison. */
	private final class Comparison {

		/** Compared values, since values may be cyclic. */
		private final Map<Object, Object> seen = new IdentityHashMap<>();

		private @Nullable String compare(Object place, @Nullable Object written, @Nullable Object read) {
			if (written == read) {
				return null;
			}
			if (written == null || read == null) {
				return difference(place, written, read);
			}
			if (isContainer(written) && isContainer(read)) {
				return compareContainers(place, written, read);
			}
			if (written instanceof Map.Entry<?, ?> entry && read instanceof Map.Entry<?, ?> other) {
				String found = compare(place, entry.getKey(), other.getKey());
				return (found != null) ? found : compare(place, entry.getValue(), other.getValue());
			}
			if (written.getClass() != read.getClass()) {
				return difference(place, written, read);
			}
			if (written instanceof Object[] several) {
				return compareElements(Arrays.asList(several), Arrays.asList((Object[]) read), null);
			}
			if (written instanceof Optional<?> optional) {
				return compare(place, optional.orElse(null), ((Optional<?>) read).orElse(null));
			}
			Class<?> ofJava = ofJava(written);
			boolean byFields = ofJava == Object.class || ofJava == Record.class;
			if (!byFields && !isEqual(written, read)) {
				return difference(place, written, read);
			}
			return (this.seen.put(written, read) == null) ? compareFields(written, read) : null;
		}

		private @Nullable String compareContainers(Object place, Object written, Object read) {
			if (kind(written) != kind(read) || (isSortedOtherwise(written) && !isSortedOtherwise(read))) {
				return difference(place, written, read);
			}
			String found = (written instanceof Map<?, ?> map)
					? compareElements(map.entrySet(), ((Map<?, ?>) read).entrySet(), ValueDifference::keyOf)
					: compareElements((Collection<?>) written, (Collection<?>) read,
							(written instanceof Set<?>) ? (element) -> element : null);
			Class<?> ofJava = ofJava(written);
			// an abstract one leaves its contents to the fields of its subclass
			boolean own = ofJava != Object.class && !Modifier.isAbstract(ofJava.getModifiers());
			return (found == null && own && written.getClass() == read.getClass()) ? compareFields(written, read)
					: found;
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
		 * Compares in order, but elements with an identity with those that have the same.
		 */
		private @Nullable String compareElements(Collection<?> written, Collection<?> read,
				@Nullable Function<Object, @Nullable Object> identity) {
			if (written.size() != read.size()) {
				return "the size of a collection: " + written.size() + " elements come back as " + read.size();
			}
			Map<Object, Object> known = new HashMap<>();
			if (identity != null) {
				read.forEach((element) -> known.put(identity.apply(element), element));
			}
			Iterator<?> others = read.iterator();
			for (Object element : written) {
				Object other = others.next();
				String found = compare("an element of a collection", element,
						(identity != null) ? known.getOrDefault(identity.apply(element), other) : other);
				if (found != null) {
					return found;
				}
			}
			return null;
		}

	}

	/** Returns whether two objects of one class of Java are the same. */
	private static boolean isEqual(Object written, Object read) {
		// the text of an address has its name, which equals ignores
		return Objects.deepEquals(written, read)
				&& (written.getClass().isArray() || written.toString().contentEquals(read.toString()));
	}

	/** Returns the class itself, or its next superclass that is part of Java. */
	private static Class<?> ofJava(Object value) {
		Class<?> type = value.getClass();
		while (!ValueTypes.isOfJava(type)) {
			type = type.getSuperclass();
		}
		return type;
	}

	private static @Nullable Object keyOf(@Nullable Object entry) {
		return (entry instanceof Map.Entry<?, ?> pair) ? pair.getKey() : null;
	}

	private static boolean isContainer(Object value) {
		return value instanceof Collection<?> || value instanceof Map<?, ?>;
	}

	private static Class<?> kind(Object container) {
		return (container instanceof Map<?, ?>) ? Map.class
				: (container instanceof Set<?>) ? Set.class : Collection.class;
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
