package io.github.lockboot.autoconfigure;

import java.beans.PropertyDescriptor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

	/**
	 * The maximum number of different letters; a name that differs in more letters is
	 * probably another word.
	 */
	private static final int LONGEST_TYPO = 2;

	private final List<List<String>> names = new ArrayList<>();

	private final Set<List<String>> durations = new HashSet<>();

	/** Read the names from classes of properties, given by their prefixes. */
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
			if (value.toClass() == Map.class && value.getGeneric(1).toClass() == String.class) {
				this.names.add(with(name, ANY));
			}
			else if (value.toClass() == Map.class) {
				collect(with(name, ANY), value.getGeneric(1).toClass());
			}
			else if (value.toClass().getPackage() == type.getPackage() && !value.toClass().isEnum()) {
				collect(name, value.toClass());
			}
			else {
				this.names.add(name);
			}
			if (value.toClass() == Duration.class) {
				this.durations.add(name);
			}
		}
	}

	List<String> names() {
		return this.names.stream().map((name) -> String.join(".", name)).toList();
	}

	/**
	 * Return whether there is such a property or group of properties. An environment
	 * variable may have an underscore where the property has a dash.
	 */
	boolean contains(List<String> property, boolean variable) {
		int last = property.size() - 1;
		if (property.get(last).chars().allMatch(Character::isDigit)) {
			return contains(property.subList(0, last), variable); // an element of a list
		}
		return this.names.stream().anyMatch((name) -> isNameOf(name, property, variable));
	}

	/** Return whether the value of a known property is a duration. */
	boolean isDuration(List<String> property, boolean variable) {
		return this.durations.stream()
			.anyMatch((name) -> (variable || name.size() == property.size()) && isNameOf(name, property, variable));
	}

	private static boolean isNameOf(List<String> known, List<String> property, boolean variable) {
		List<String> name = withKey(known, property, keyLength(known, property));
		boolean same = name.size() >= property.size()
				&& uniform(name.subList(0, property.size())).equals(uniform(property));
		return same || (variable && text(name).equals(text(property)));
	}

	/** Return the number of elements of a key. A key at the end may have dots. */
	private static int keyLength(List<String> name, List<String> property) {
		return name.indexOf(ANY) == name.size() - 1 ? property.size() - name.size() + 1 : 1;
	}

	/** Return the most similar known property. */
	@Nullable List<String> nearest(List<String> property, boolean onlyTypos) {
		String text = text(property);
		String last = "-" + property.get(property.size() - 1);
		return this.names.stream()
			.map((name) -> withKey(name, property, property.size() - name.size() + 1))
			.filter((name) -> isTypo(text, text(name)) || (!onlyTypos
					&& (text(name).startsWith(text) || ("-" + name.get(name.size() - 1)).endsWith(last))))
			.min(Comparator.comparing((List<String> name) -> !text(name).startsWith(text))
				.thenComparing((name) -> !("-" + name.get(name.size() - 1)).equals(last))
				.thenComparingInt((name) -> distance(text(name), text)))
			.orElse(null);
	}

	/**
	 * Return a name with its key as one element. A key with dots has several elements if
	 * its brackets were forgotten.
	 */
	private static List<String> withKey(List<String> name, List<String> property, int length) {
		int any = name.indexOf(ANY);
		if (any < 0 || property.size() <= any
				|| !uniform(name.subList(0, any)).equals(uniform(property.subList(0, any)))) {
			return name;
		}
		List<String> named = new ArrayList<>(name);
		named.set(any, String.join(".", property.subList(any, any + Math.max(1, length))));
		return named;
	}

	/** Return whether a text is another one, misspelt; a minimum is no maximum. */
	private static boolean isTypo(String text, String name) {
		return name.equals(text) || (distance(name, text) <= LONGEST_TYPO && !name.replace("max", "min").equals(text));
	}

	/** Return how many letters have to be changed, added or left out. */
	static int distance(String text, String other) {
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

	private static String text(List<String> elements) {
		return String.join("", uniform(elements));
	}

	private static List<String> uniform(List<String> elements) {
		return elements.stream().map(RelaxedNames::uniform).toList();
	}

	private static List<String> with(List<String> path, String element) {
		return Stream.concat(path.stream(), Stream.of(element)).toList();
	}

}
