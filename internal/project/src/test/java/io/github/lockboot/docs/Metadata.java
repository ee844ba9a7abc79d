package io.github.lockboot.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParserFactory;

import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.jdbc.JdbcLockProperties;
import io.github.lockboot.autoconfigure.zookeeper.ZookeeperLockProperties;
import io.github.lockboot.cache.autoconfigure.CacheProperties;

/**
 * The metadata of the properties for development tools.
 */
public final class Metadata {

	private Metadata() {
	}

	/** Return all properties; for maps only the map itself. */
	public static List<Property> properties() {
		return list("properties").stream()
			.map((attributes) -> new Property(String.valueOf(attributes.get("name")),
					String.valueOf(attributes.get("type")), attributes.get("description"),
					attributes.get("defaultValue")))
			.toList();
	}

	/**
	 * Return the properties with hints.
	 * @return names of properties, and of maps with {@code .keys} or {@code .values}
	 */
	static List<String> hints() {
		return list("hints").stream().map((attributes) -> String.valueOf(attributes.get("name"))).toList();
	}

	private static List<Map<String, Object>> list(String name) {
		return Stream
			.of(LockProperties.class, JdbcLockProperties.class, ZookeeperLockProperties.class, CacheProperties.class)
			.flatMap((type) -> list(type, name))
			.toList();
	}

	/** Each artifact has its own file. */
	@SuppressWarnings("unchecked")
	private static Stream<Map<String, Object>> list(Class<?> type, String name) {
		String file = type.getName().replace('.', '/') + ".class";
		String location = Objects.requireNonNull(type.getClassLoader().getResource(file)).toString();
		try (InputStream json = URI.create(location.replace(file, "META-INF/spring-configuration-metadata.json"))
			.toURL()
			.openStream()) {
			return ((List<Map<String, Object>>) JsonParserFactory.getJsonParser()
				.parseMap(new String(json.readAllBytes(), StandardCharsets.UTF_8))
				.getOrDefault(name, List.of())).stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * A property.
	 *
	 * @param defaultValue its default, {@code null} for none
	 */
	public record Property(String name, String type, @Nullable Object description, @Nullable Object defaultValue) {

		/**
		 * Return the default.
		 * @return the value as in a file of properties
		 */
		String defaultText() {
			if (this.defaultValue instanceof Number number && number.doubleValue() == number.longValue()) {
				return String.valueOf(number.longValue());
			}
			String text = Objects.toString(this.defaultValue, "");
			// a constant
			return this.type.equals(String.class.getName()) ? text : text.replace('_', '-');
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
