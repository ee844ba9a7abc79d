package io.github.lockboot.cache.codec;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
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

}
