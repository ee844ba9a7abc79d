package io.github.lockboot.autoconfigure;

import java.beans.PropertyDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.ResolvableType;

/**
 * The names of all properties under {@code lock}, split at their dots. An element
 * {@code *} stands for any key of a map.
 */
final class KnownProperties {

	private static final String ANY = "*";

	/** Two letters are a slip of the pen; more may be another word. */
	private static final int SLIP = 2;

	private final List<List<String>> names = new ArrayList<>();

	/**
	 * Reads the names of these properties.
	 * @param types classes of properties, by their prefixes
	 */
	KnownProperties(Map<String, Class<?>> types) {
		types.forEach((prefix, type) -> collect(List.of(prefix.split("\\.")), type));
	}

	private void collect(List<String> path, Class<?> type) {
		for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(type)) {
			if (property.getReadMethod().getDeclaringClass() == Object.class) {
				continue;
			}
			List<String> name = with(path, DataObjectPropertyName.toDashedForm(property.getName()));
			ResolvableType value = ResolvableType.forMethodReturnType(property.getReadMethod());
			if (value.toClass() == Map.class) {
				collect(with(name, ANY), value.getGeneric(1).toClass());
			}
			else if (value.toClass().getPackage() == type.getPackage() && !value.toClass().isEnum()) {
				collect(name, value.toClass());
			}
			else {
				this.names.add(name);
			}
		}
	}

	List<String> names() {
		return this.names.stream().map((name) -> String.join(".", name)).toList();
	}

	/**
	 * Return whether there is such a property or group, or it is an element of a list.
	 */
	boolean contain(List<String> property) {
		return this.names.stream().anyMatch((name) -> {
			int common = Math.min(name.size(), property.size());
			return isSame(name.subList(0, common), property.subList(0, common))
					&& property.subList(common, property.size()).stream().allMatch(KnownProperties::isIndex);
		});
	}

	/**
	 * Return whether a variable sets such a property. Where this has a dash the variable
	 * may have an underscore; a key of a map has neither.
	 */
	boolean containVariable(List<String> words) {
		List<String> present = words.stream().takeWhile((word) -> !isIndex(word)).toList();
		return this.names.stream().anyMatch((name) -> {
			int any = name.indexOf(ANY);
			return (any < 0) ? uniform(name).equals(uniform(present))
					: present.size() > any + 1 && isSame(name.subList(0, any), present.subList(0, any))
							&& uniform(name.subList(any + 1, name.size()))
								.equals(uniform(present.subList(any + 1, present.size())));
		});
	}

	/** Return the property that is meant, as far as can be guessed. */
	@Nullable List<String> nearest(List<String> property) {
		return nearest(property, (name) -> isSlip(name, property) || uniform(name).startsWith(uniform(property))
				|| ("-" + name.get(name.size() - 1)).endsWith("-" + property.get(property.size() - 1)));
	}

	/** Return the property of which a name is a slip of the pen. */
	@Nullable List<String> nearestSlip(List<String> words) {
		return nearest(words, (name) -> isSlip(name, words));
	}

	private @Nullable List<String> nearest(List<String> property, Predicate<List<String>> likely) {
		return this.names.stream()
			.map((name) -> withKeyOf(property, name))
			.filter(likely)
			.min(Comparator.comparingInt((name) -> distance(uniform(name), uniform(property))))
			.orElse(null);
	}

	/** The key may have several elements by mistake. */
	private static List<String> withKeyOf(List<String> property, List<String> name) {
		int any = name.indexOf(ANY);
		if (any < 0 || property.size() <= any || !isSame(name.subList(0, any), property.subList(0, any))) {
			return name;
		}
		int end = Math.max(any + 1, property.size() - (name.size() - any - 1));
		List<String> named = new ArrayList<>(name);
		named.set(any, String.join(".", property.subList(any, end)));
		return named;
	}

	private static boolean isSame(List<String> name, List<String> property) {
		for (int i = 0; i < name.size(); i++) {
			if (!name.get(i).equals(ANY)
					&& !RelaxedNames.uniform(name.get(i)).equals(RelaxedNames.uniform(property.get(i)))) {
				return false;
			}
		}
		return true;
	}

	private static boolean isSlip(List<String> name, List<String> property) {
		return distance(uniform(name), uniform(property)) <= SLIP;
	}

	/** How many letters have to be changed, added or left out. */
	private static int distance(String text, String other) {
		int[] row = new int[other.length() + 1];
		Arrays.setAll(row, (column) -> column);
		for (int i = 1; i <= text.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int changed = diagonal + ((text.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1);
				diagonal = row[j];
				row[j] = Math.min(changed, 1 + Math.min(diagonal, row[j - 1]));
			}
		}
		return row[other.length()];
	}

	private static boolean isIndex(String element) {
		return element.chars().allMatch(Character::isDigit);
	}

	private static String uniform(List<String> elements) {
		return elements.stream().map(RelaxedNames::uniform).collect(Collectors.joining());
	}

	private static List<String> with(List<String> path, String element) {
		return Stream.concat(path.stream(), Stream.of(element)).toList();
	}

}
