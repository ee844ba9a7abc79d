package io.github.lockboot.cache.codec;

import java.lang.reflect.Array;
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
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.Internal;

/**
 * Compares a value that was written with the value that was read: both must have the same
 * classes, and the same state in all fields that are not transient. Collections and maps
 * are compared by their elements.
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
				(found) -> ValueTypes.state(found).filter(Field::trySetAccessible).toList());
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
			if (written instanceof Map<?, ?> map && read instanceof Map<?, ?> other) {
				String found = isOrderLost(map, other) ? difference(place, written, read) : compareEntries(map, other);
				return (found != null) ? found : compareOwnFields(written, read);
			}
			if (written instanceof Collection<?> several && read instanceof Collection<?> others) {
				boolean alike = several instanceof Set<?> == others instanceof Set<?> && !isOrderLost(several, others);
				String found = alike ? compareElements(several, others) : difference(place, written, read);
				return (found != null) ? found : compareOwnFields(written, read);
			}
			if (written instanceof Map.Entry<?, ?> entry && read instanceof Map.Entry<?, ?> other) {
				String found = compare(place, entry.getKey(), other.getKey());
				return (found != null) ? found : compare(place, entry.getValue(), other.getValue());
			}
			return (written.getClass() == read.getClass()) ? compareAlike(place, written, read)
					: difference(place, written, read);
		}

		private @Nullable String compareAlike(Object place, Object written, Object read) {
			if (written.getClass().isArray()) {
				return compareElements(elements(written), elements(read));
			}
			if (written instanceof Optional<?> optional) {
				return compare(place, optional.orElse(null), ((Optional<?>) read).orElse(null));
			}
			if (ValueTypes.isOfJava(written.getClass())) {
				return isSame(written, read) ? null : difference(place, written, read);
			}
			if (written instanceof Enum<?>) {
				return difference(place, written, read);
			}
			return (this.seen.put(written, read) == null) ? compareFields(written, read) : null;
		}

		/** Compares the own fields of a subclass of a collection. */
		private @Nullable String compareOwnFields(Object written, Object read) {
			Class<?> ofJava = written.getClass();
			while (!ValueTypes.isOfJava(ofJava)) {
				ofJava = ofJava.getSuperclass();
			}
			boolean own = ofJava != written.getClass() && ofJava != Object.class
					&& !Modifier.isAbstract(ofJava.getModifiers());
			return (own && written.getClass() == read.getClass()) ? compareFields(written, read) : null;
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

		private @Nullable String compareElements(Collection<?> written, Collection<?> read) {
			if (written.size() != read.size()) {
				return "the size of a collection: " + written.size() + " elements come back as " + read.size();
			}
			Map<Object, Object> known = (read instanceof Set<?>)
					? read.stream()
						.filter(Objects::nonNull)
						.collect(Collectors.toMap((element) -> element, (element) -> element, (one, other) -> one))
					: Map.of();
			Iterator<?> others = read.iterator();
			for (Object element : written) {
				Object other = others.next();
				String found = compare("an element of a collection", element,
						(element != null) ? known.getOrDefault(element, other) : other);
				if (found != null) {
					return found;
				}
			}
			return null;
		}

		private @Nullable String compareEntries(Map<?, ?> written, Map<?, ?> read) {
			if (written.size() != read.size()) {
				return "the size of a map: " + written.size() + " entries come back as " + read.size();
			}
			Map<Object, Map.Entry<?, ?>> known = new HashMap<>();
			read.entrySet().forEach((entry) -> known.put(entry.getKey(), entry));
			Iterator<? extends Map.Entry<?, ?>> others = read.entrySet().iterator();
			for (Map.Entry<?, ?> entry : written.entrySet()) {
				Map.Entry<?, ?> other = known.getOrDefault(entry.getKey(), others.next());
				String found = compare("a key of a map", entry.getKey(), other.getKey());
				found = (found != null) ? found : compare("a value of a map", entry.getValue(), other.getValue());
				if (found != null) {
					return found;
				}
			}
			return null;
		}

	}

	/** Compares objects of Java classes, whose text shows their state. */
	private static boolean isSame(Object written, Object read) {
		return written.equals(read) || (!ValueTypes.declares(written.getClass(), "equals", Object.class)
				&& written.toString().contentEquals(read.toString()));
	}

	/** Returns whether the order of a comparator was lost. */
	private static boolean isOrderLost(Object written, Object read) {
		return isSortedOtherwise(written) && !isSortedOtherwise(read);
	}

	private static boolean isSortedOtherwise(Object value) {
		return (value instanceof SortedMap<?, ?> map && map.comparator() != null)
				|| (value instanceof SortedSet<?> set && set.comparator() != null);
	}

	private static List<?> elements(Object array) {
		return (array instanceof Object[] objects) ? Arrays.asList(objects)
				: IntStream.range(0, Array.getLength(array)).mapToObj((i) -> Array.get(array, i)).toList();
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
