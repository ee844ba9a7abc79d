package io.github.lockboot.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.util.ClassUtils;

import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.cache.autoconfigure.CacheProperties;
import io.github.lockboot.docs.Metadata.Property;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tables of the page of properties are those that the metadata give.
 */
class PropertiesTests {

	/** A table of the properties with a prefix that have no table of their own. */
	private static final Pattern TABLE = Pattern.compile("(?m)^<!-- properties of (.*) -->\n\n(?:\\|.*\n)*");

	private final Page page = Page.docs("properties.md");

	private final List<String> prefixes = TABLE.matcher(this.page.text())
		.results()
		.map((table) -> table.group(1))
		.toList();

	@Test
	void tablesAreThoseOfTheMetadata() throws IOException {
		List<Row> rows = rows();
		assertThat(rows).allSatisfy((row) -> assertThat(prefix(row)).as(row.name()).isNotNull());
		String generated = TABLE.matcher(this.page.text()).replaceAll((table) -> table(table, rows));
		if (Boolean.getBoolean("lockboot.docs.write")) {
			Files.writeString(this.page.file(), generated);
		}
		else {
			assertThat(this.page.text())
				.as("this test with -Dlockboot.docs.write=true writes the tables of %s", this.page)
				.isEqualTo(generated);
		}
	}

	@Test
	void optionsOfOneNameThatAllLocksHaveAreNamed() {
		List<Property> metadata = Metadata.properties();
		assertThat(LockProperties.Named.class.getRecordComponents())
			.extracting((option) -> DataObjectPropertyName.toDashedForm(option.getName()))
			.filteredOn((name) -> isGeneral(name, "lock.", metadata))
			.isNotEmpty()
			.allSatisfy((name) -> assertThat(this.page.text()).contains("`" + name + "`"));
	}

	private String table(MatchResult table, List<Row> rows) {
		return Matcher.quoteReplacement(rows.stream()
			.filter((row) -> table.group(1).equals(prefix(row)))
			.map(Row::toString)
			.collect(Collectors.joining("", "<!-- properties of " + table.group(1) + " -->\n\n"
					+ "| property | default | meaning |\n| --- | --- | --- |\n", "")));
	}

	private @Nullable String prefix(Row row) {
		return this.prefixes.stream()
			.filter((prefix) -> row.name().startsWith(prefix + "."))
			.max(Comparator.comparingInt(String::length))
			.orElse(null);
	}

	/** Without those that Spring Boot describes for each endpoint. */
	private static List<Row> rows() {
		List<Property> metadata = Metadata.properties()
			.stream()
			.filter((property) -> property.name().startsWith("lock."))
			.toList();
		List<Row> rows = new ArrayList<>();
		for (Property property : metadata) {
			switch (property.name()) {
				case "lock.locks" -> rows.addAll(ofOne(property, LockProperties.Named.class, "lock.", metadata));
				case "lock.cache.caches" ->
					rows.addAll(ofOne(property, CacheProperties.Named.class, "lock.cache.", metadata));
				default -> rows.add(Row.of(property));
			}
		}
		return rows;
	}

	private static boolean isGeneral(String name, String prefix, List<Property> metadata) {
		return metadata.stream().anyMatch((property) -> property.name().equals(prefix + name));
	}

	/** Return the rows of the options that are not described for all names. */
	private static List<Row> ofOne(Property map, Class<?> type, String prefix, List<Property> metadata) {
		return Stream.of(type.getRecordComponents()).flatMap((option) -> {
			String name = DataObjectPropertyName.toDashedForm(option.getName());
			return isGeneral(name, prefix, metadata) ? Stream.empty() : Stream
				.of(new Row(map.name() + ".<name>." + name, "", parameter(type, option.getName()), option.getType()));
		}).toList();
	}

	/** The annotation processor describes no values of maps. */
	private static String parameter(Class<?> type, String name) {
		String outer = "record " + type.getEnclosingClass().getSimpleName() + "(";
		String source = Sources.main();
		String before = source.substring(0,
				source.indexOf("record " + type.getSimpleName() + "(", source.indexOf(outer)));
		Matcher javadoc = Pattern.compile("@param " + name + " (.*?)\\s+\\*(?: @|/)", Pattern.DOTALL)
			.matcher(before.substring(before.lastIndexOf("/**")));
		assertThat(javadoc.find()).as("Javadoc of %s", name).isTrue();
		return javadoc.group(1).replaceAll("\\s+\\*?\\s*", " ").trim();
	}

	private record Row(String name, String defaultText, String description, Class<?> type) {

		static Row of(Property property) {
			String type = property.type().replaceFirst("<.*", "");
			return new Row(property.name(), property.defaultText(), Objects.toString(property.description()),
					ClassUtils.resolveClassName(type, null));
		}

		@Override
		public String toString() {
			return "| `" + this.name + "` | " + (this.defaultText.isEmpty() ? "" : "`" + this.defaultText + "` ") + "| "
					+ this.description + values() + " |\n";
		}

		private String values() {
			if (!this.type.isEnum()) {
				return "";
			}
			return Arrays.stream(this.type.getEnumConstants())
				.map((value) -> "`" + value.toString().toLowerCase(Locale.ROOT).replace('_', '-') + "`")
				.collect(Collectors.joining(", ", " One of ", "."));
		}

	}

}
