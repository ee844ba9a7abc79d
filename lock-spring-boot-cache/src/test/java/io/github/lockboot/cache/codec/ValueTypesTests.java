package io.github.lockboot.cache.codec;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Open types, and the shapes of types: entries of an older version of an application are
 * not read as values of a newer one.
 */
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

	static Stream<Arguments> types() {
		return Stream.of(row(true, "another name", Before.class, Renamed.class),
				row(true, "an annotation for clients", Before.class, Ignoring.class),
				row(false, "one more field", Before.class, More.class),
				row(false, "one more field inside a list", list(List.class, Before.class),
						list(List.class, More.class)),
				row(false, "another type of a field", Before.class, Other.class),
				row(false, "one more constant", Letter.class, Letters.class),
				row(false, "another container", list(List.class, Before.class), list(Set.class, Before.class)),
				row(true, "a type that contains itself", Branch.class, Branch.class),
				row(true, "a type without an end", list(Growing.class, String.class),
						list(Growing.class, String.class)),
				row(false, "elements of a collection of the application", AllBefore.class, AllMore.class),
				row(false, "a field of a subtype", Animals.class, AnimalsLater.class),
				row(false, "the value of a record", ByText.class, ByNumber.class),
				row(false, "a field of a permitted subclass", Plant.class, PlantLater.class),
				row(false, "a field of any enum", Before.class, OfAnyEnum.class));
	}

	private static Arguments row(boolean same, String change, Type one, Type other) {
		return Arguments.of(same, change, one, other);
	}

	private static Type list(Class<?> container, Class<?> element) {
		return ResolvableType.forClassWithGenerics(container, element).getType();
	}

	@ParameterizedTest(name = "{1}")
	@MethodSource("types")
	void aShapeChangesWithTheFieldsOfATypeOnly(boolean same, String change, Type one, Type other) {
		assertThat(ValueTypes.shapeOf(one) == ValueTypes.shapeOf(other)).as(change).isEqualTo(same);
	}

	interface Shape {

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	interface Told {

	}

	record Holder(String name, Object value) {
	}

	static class OfAnyEnum {

		public @Nullable Enum<?> constant;

	}

	record Before(String name, int count) {
	}

	record Renamed(String name, int count) {
	}

	record Ignoring(@JsonIgnore String name, int count) {
	}

	record More(String name, int count, boolean more) {
	}

	record Other(String name, long count) {
	}

	record Branch(List<Branch> children) {
	}

	record Growing<T>(Growing<List<T>> next) {
	}

	@SuppressWarnings("serial")
	static class AllBefore extends ArrayList<Before> {

	}

	@SuppressWarnings("serial")
	static class AllMore extends ArrayList<More> {

	}

	record Animals(List<Animal> all) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	@JsonSubTypes(@JsonSubTypes.Type(value = Cat.class, name = "cat"))
	interface Animal {

	}

	static class Cat implements Animal {

		public String name = "";

	}

	record AnimalsLater(List<AnimalLater> all) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	@JsonSubTypes(@JsonSubTypes.Type(value = CatLater.class, name = "cat"))
	interface AnimalLater {

	}

	static class CatLater implements AnimalLater {

		public String title = "";

	}

	record ByText(@JsonValue String value) {
	}

	record ByNumber(@JsonValue int value) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	sealed interface Plant permits Tree {

	}

	record Tree(int height) implements Plant {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	sealed interface PlantLater permits TreeLater {

	}

	record TreeLater(int metres) implements PlantLater {
	}

	enum Letter {

		A

	}

	enum Letters {

		A, B

	}

}
