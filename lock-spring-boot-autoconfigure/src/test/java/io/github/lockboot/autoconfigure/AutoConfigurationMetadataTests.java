package io.github.lockboot.autoconfigure;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureAfter;
import org.springframework.boot.autoconfigure.AutoConfigureBefore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.io.support.PropertiesLoaderUtils;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Spring Boot reads instead of our classes says what they say.
 */
class AutoConfigurationMetadataTests {

	private static final String OURS = "io.github.lockboot.";

	@Test
	void metadataSayWhatTheAnnotationsSay() throws IOException {
		assertThat(written()).isEqualTo(annotated());
	}

	private static Map<String, String> written() throws IOException {
		Properties all = PropertiesLoaderUtils.loadAllProperties("META-INF/spring-autoconfigure-metadata.properties");
		Map<String, String> written = new TreeMap<>();
		all.stringPropertyNames()
			.stream()
			.filter((key) -> key.startsWith(OURS))
			.forEach((key) -> written.put(key, all.getProperty(key)));
		return written;
	}

	private static Map<String, String> annotated() {
		Map<String, String> annotated = new TreeMap<>();
		for (String name : ImportCandidates.load(AutoConfiguration.class, null)) {
			if (name.startsWith(OURS)) {
				Class<?> type = ClassUtils.resolveClassName(name, null);
				annotated.put(name, "");
				put(annotated, type, AutoConfigureAfter.class);
				put(annotated, type, AutoConfigureBefore.class);
				put(annotated, type, ConditionalOnClass.class);
			}
		}
		return annotated;
	}

	private static void put(Map<String, String> annotated, Class<?> type, Class<? extends Annotation> annotation) {
		AnnotationAttributes attributes = AnnotatedElementUtils.getMergedAnnotationAttributes(type,
				annotation.getName(), true, false);
		String names = (attributes != null) ? Stream.of("value", "name")
			.flatMap((attribute) -> Stream.of(attributes.getStringArray(attribute)))
			.collect(Collectors.joining(",")) : "";
		if (!names.isEmpty()) {
			annotated.put(type.getName() + "." + annotation.getSimpleName(), names);
		}
	}

}
