package io.github.lockboot.docs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParserFactory;

import io.github.lockboot.autoconfigure.LockProperties;

/**
 * What development tools know of the properties.
 */
public final class Metadata {

	private Metadata() {
	}

	/**
	 * Return all properties; of maps only the map.
	 * @return the properties, in order
	 */
	public static List<Property> properties() {
		return list("properties").stream()
			.map((attributes) -> new Property(String.valueOf(attributes.get("name")),
					String.valueOf(attributes.get("type")), attributes.get("description"),
					attributes.get("defaultValue")))
			.toList();
	}

	/**
	 * Return for what there are hints.
	 * @return names of properties, and of maps with {@code .keys} or {@code .values}
	 */
	static List<String> hints() {
		return list("hints").stream().map((attributes) -> String.valueOf(attributes.get("name"))).toList();
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> list(String name) {
		try {
			URI classes = LockProperties.class.getProtectionDomain().getCodeSource().getLocation().toURI();
			String json = Files.readString(Path.of(classes).resolve("META-INF/spring-configuration-metadata.json"));
			return (List<Map<String, Object>>) JsonParserFactory.getJsonParser()
				.parseMap(json)
				.getOrDefault(name, List.of());
		}
		catch (IOException | URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * A property.
	 *
	 * @param name its name
	 * @param type its Java type
	 * @param description what it means
	 * @param defaultValue its default, {@code null} for none
	 */
	public record Property(String name, String type, @Nullable Object description, @Nullable Object defaultValue) {

		/**
		 * Return the default.
		 * @return as it is written in a file of properties
		 */
		String defaultText() {
			if (this.defaultValue instanceof Number number && number.doubleValue() == number.longValue()) {
				return String.valueOf(number.longValue());
			}
			return Objects.toString(this.defaultValue, "").replace('_', '-');
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
