package io.github.lockboot.cache.aop;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.annotation.MergedAnnotation;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.aop.AnnotationText;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The times in annotations.
 */
class DurationAttributesTests {

	static Stream<Arguments> attributes() {
		return Stream.of(DistributedLock.class, RedisCache.class, RedisCachePut.class, RedisCacheEvict.class)
			.flatMap((type) -> Stream.of(type.getDeclaredMethods())
				.map(Method::getName)
				.filter((attribute) -> attribute.matches(".*(Time|[tT]tl)|grace"))
				.map((attribute) -> arguments(type, attribute)));
	}

	@ParameterizedTest
	@MethodSource("attributes")
	void aTimeNeedsAUnit(Class<? extends Annotation> type, String attribute) {
		for (String written : new String[] { "5", " 30 ", "+5", "-5", "${number}" }) {
			assertThatIllegalArgumentException().isThrownBy(() -> duration(type, attribute, written))
				.withMessageMatching("it has the " + attribute + " '([+-]?\\d+)' without a unit: write \\1ms for"
						+ " milliseconds, or \\1s for seconds");
		}
		assertThat(duration(type, attribute, "0")).isZero();
		assertThat(duration(type, attribute, "5s")).isEqualTo(duration(type, attribute, "PT5S"));
	}

	private static @Nullable Duration duration(Class<? extends Annotation> type, String attribute, String written) {
		return new AnnotationText(MergedAnnotation.of(type, Map.of(attribute, written)),
				(text) -> text.replace("${number}", "7"), "it ")
			.duration(attribute);
	}

}
