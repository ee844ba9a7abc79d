package io.github.lockboot.cache.codec;

import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;

class ValueTypesTests {

	static Stream<Type> open() {
		return Stream.of(Object.class, Number.class, Comparable.class, Shape.class, Object[].class, List.class,
				Map.class, Holder.class, of(new ParameterizedTypeReference<List<Object>>() {
				}), of(new ParameterizedTypeReference<List<?>>() {
				}), of(new ParameterizedTypeReference<Map<String, List<? extends Number>>>() {
				}), of(new ParameterizedTypeReference<List<Shape>[]>() {
				}));
	}

	@ParameterizedTest
	@MethodSource("open")
	void anOpenTypeIsDetected(Type type) {
		assertThat(ValueTypes.findOpen(type)).isNotNull();
	}

	@Test
	void anInterfaceWithDeclaredSubtypesIsNotOpen() {
		assertThat(ValueTypes.findOpen(Told.class)).isNull();
	}

	@Test
	void valuesOfRecordsAndJdkTypesAreComparable() {
		assertThat(Stream.of(String.class, int.class, BigDecimal.class, Instant.class, UUID.class, DayOfWeek.class,
				Line.class, Line[].class, of(new ParameterizedTypeReference<List<List<Line>>>() {
				}), of(new ParameterizedTypeReference<Page<List<Line>>>() {
				})))
			.allMatch(ValueTypes::areAlike);
	}

	@Test
	void typesWithSubclassesOrHiddenStateAreNotComparable() {
		assertThat(Stream.of(Bean.class, Told.class, Date.class, Annotated.class, Bag.class, TreeMap.class,
				of(new ParameterizedTypeReference<List<Bean>>() {
				}), of(new ParameterizedTypeReference<Page<Bean>>() {
				}), of(new ParameterizedTypeReference<Map<Line, String>>() {
				})))
			.noneMatch(ValueTypes::areAlike);
	}

	/** Or equality: a collection may be a set. */
	@Test
	void typesWhoseValuesMayHaveAComparatorAreNotComparable() {
		assertThat(Stream.of(of(new ParameterizedTypeReference<Map<String, Line>>() {
		}), of(new ParameterizedTypeReference<Set<String>>() {
		}), of(new ParameterizedTypeReference<List<Collection<String>>>() {
		}))).noneMatch(ValueTypes::areAlike);
	}

	@Test
	void typesWithAnOptionalWhichMayBeNullAreNotComparable() {
		assertThat(Stream.of(OptionalInt.class, of(new ParameterizedTypeReference<Page<Optional<Line>>>() {
		}))).noneMatch(ValueTypes::areAlike);
	}

	private static Type of(ParameterizedTypeReference<?> reference) {
		return reference.getType();
	}

	interface Shape {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	interface Told {

	}

	record Holder(String name, Object value) {
	}

	record Line(String text, List<Line> more, int @Nullable [] numbers) {
	}

	record Page<T>(List<T> items) {
	}

	record Annotated(@JsonProperty("x") String name) {
	}

	record Bag(Bean bean) {
	}

	static final class Bean {

	}

}
