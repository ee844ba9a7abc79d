package io.github.lockboot.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.jdbc.JdbcLockProperties;
import io.github.lockboot.autoconfigure.leader.LeaderProperties;
import io.github.lockboot.autoconfigure.zookeeper.ZookeeperLockProperties;
import io.github.lockboot.cache.autoconfigure.CacheProperties;
import io.github.lockboot.docs.Metadata.Property;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The metadata of the properties is complete and correct, and properties that our texts
 * name exist.
 */
class MetadataTests {

	private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");

	private static final Pattern CODE = Pattern.compile("`[^`\n]*`");

	private static final Pattern PROPERTY = Pattern.compile("(?<![\\w.])lock\\.[a-z][a-z.-]*[a-z]");

	private static final Binder NONE = new Binder();

	static List<Property> properties() {
		return Metadata.properties();
	}

	static List<Property> propertiesOfTheLibrary() {
		return properties().stream().filter((property) -> property.name().startsWith("lock.")).toList();
	}

	@ParameterizedTest
	@MethodSource("properties")
	void propertyIsDescribedInTheStyleOfSpringBoot(Property property) {
		assertThat(property.description()).asString()
			.matches("(?s)[A-Z].*\\.")
			.doesNotMatch("(?s)(A|An|The) .*")
			.doesNotContain("{@");
		if (property.type().equals("java.lang.Boolean")) {
			assertThat(property.description()).asString().startsWith("Whether ");
		}
	}

	@ParameterizedTest
	@MethodSource("propertiesOfTheLibrary")
	void defaultIsThatOfTheCode(Property property) {
		Object actual = value(property);
		if (actual == null || property.defaultValue() == null) {
			assertThat(property.defaultValue()).isNull();
			assertThat(actual).satisfiesAnyOf((value) -> assertThat(value).isNull(),
					(value) -> assertThat(value).isEqualTo(false), (value) -> assertThat(value).isEqualTo(0),
					(value) -> assertThat(value).isEqualTo(List.of()),
					(value) -> assertThat(value).isEqualTo(Map.of()));
		}
		else {
			assertThat(actual).isEqualTo(bound(property, actual.getClass()));
		}
	}

	@Test
	void hintsAreForPropertiesThatExist() {
		assertThat(Metadata.hints()).isNotEmpty()
			.map((hint) -> hint.replaceFirst("\\.(keys|values)$", ""))
			.isSubsetOf(Metadata.properties().stream().map(Property::name).toList());
	}

	@Test
	void propertiesThatTheDocumentationNamesExist() {
		assertThat(Page.all().stream().flatMap((page) -> named(CODE, page.text()))).isNotEmpty()
			.allMatch((name) -> exists(name) || isMeasured(name));
	}

	@ParameterizedTest
	@ValueSource(strings = { "../../lock-spring-boot-cache/src/main/java", "../../lock-redis/src/main/java",
			"../../lock-spring/src/main/java", "../../lock-spring-boot-autoconfigure/src/main/java",
			"../../lock-spring-boot-jdbc/src/main/java", "../../lock-spring-boot-zookeeper/src/main/java" })
	void propertiesThatMessagesNameExist(Path sources) throws IOException {
		try (Stream<Path> files = Files.walk(sources)) {
			assertThat(files.filter((file) -> file.toString().endsWith(".java"))
				.flatMap((file) -> named(STRING, Sources.read(file)))).isNotEmpty()
				.allMatch((name) -> exists(name) || isMeasured(name));
		}
	}

	private static @Nullable Object value(Property property) {
		Map.Entry<String, Object> group = groups().entrySet()
			.stream()
			.filter((entry) -> property.name().startsWith(entry.getKey() + "."))
			.max(Comparator.comparing((entry) -> entry.getKey().length()))
			.orElseThrow();
		String path = Pattern.compile("-(.)")
			.matcher(property.name().substring(group.getKey().length() + 1))
			.replaceAll((match) -> match.group(1).toUpperCase(Locale.ROOT));
		return new BeanWrapperImpl(group.getValue()).getPropertyValue(path);
	}

	private static Map<String, Object> groups() {
		return Stream
			.<Class<?>>of(LockProperties.class, LeaderProperties.class, JdbcLockProperties.class,
					ZookeeperLockProperties.class, CacheProperties.class)
			.collect(Collectors.toMap((type) -> type.getAnnotation(ConfigurationProperties.class).value(),
					(type) -> NONE.bindOrCreate("", type)));
	}

	private static Object bound(Property property, Class<?> type) {
		return new Binder(new MapConfigurationPropertySource(Map.of("value", property.defaultText())))
			.bind("value", Bindable.of(type))
			.get();
	}

	private static Stream<String> named(Pattern quoted, String text) {
		return quoted.matcher(text)
			.results()
			.map(MatchResult::group)
			.flatMap((quote) -> PROPERTY.matcher(quote).results().map(MatchResult::group));
	}

	private static boolean exists(String name) {
		return Metadata.properties()
			.stream()
			.map(Property::name)
			.anyMatch((property) -> property.equals(name) || property.startsWith(name + ".")
					|| (property.matches("lock\\.locks|lock\\.cache\\.caches") && name.startsWith(property + ".")));
	}

	/** Meters and observations have names of the same form. */
	private static boolean isMeasured(String name) {
		Page page = Page.docs("monitoring.md");
		return Stream.of("Meters", "Traces")
			.flatMap((heading) -> page.table(heading).stream())
			.anyMatch((row) -> row.get(0).equals("`" + name + "`"));
	}

}
