package io.github.lockboot.lines;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An auto-configuration is ordered by names of classes of Spring Boot that moved. Each
 * line has exactly one of them.
 */
class AutoConfigurationOrderTests {

	@Test
	void eachNameIsThatOfAClassBeforeOrAfterItsMove() throws Exception {
		List<String> names = new ArrayList<>();
		for (String type : ImportCandidates.load(AutoConfiguration.class, getClass().getClassLoader())) {
			if (type.startsWith("io.github.lockboot.")) {
				AutoConfiguration order = Class.forName(type, false, getClass().getClassLoader())
					.getAnnotation(AutoConfiguration.class);
				Stream.of(order.afterName(), order.beforeName()).flatMap(Arrays::stream).forEach(names::add);
			}
		}
		Map<String, List<String>> bySimpleName = names.stream()
			.filter((name) -> name.startsWith("org.springframework.boot."))
			.distinct()
			.collect(Collectors.groupingBy((name) -> ClassUtils.getShortName(name).replace("DataRedis", "Redis")));
		assertThat(bySimpleName).hasSizeGreaterThan(4);
		assertThat(bySimpleName.values()).allSatisfy((moved) -> assertThat(moved)
			.filteredOn((name) -> ClassUtils.isPresent(name, getClass().getClassLoader()))
			.hasSize(1));
	}

}
