package io.github.lockboot.cache.codec;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ResolvableType;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Entries of an older version of an application are not read as values of a newer one.
 */
class CodecShapeTests {

	private static final List<ValueCodec> CODECS = List.of(new Jackson3Codec(), new Jackson2Codec());

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
		assertThat(CODECS)
			.allSatisfy((codec) -> assertThat(codec.shape(one) == codec.shape(other)).as(change).isEqualTo(same));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"name\":\"a\",\"count\":1,\"more\":true}", "{\"count\":1}" })
	void anUnknownOrMissingPropertyIsAnException(String json) {
		byte[] bytes = json.getBytes(UTF_8);
		assertThat(CODECS).allSatisfy((codec) -> assertThatExceptionOfType(CodecException.class)
			.isThrownBy(() -> codec.decode(bytes, 0, bytes.length, Before.class)));
	}

	@Test
	void aRenamedConstantIsAnException() {
		byte[] bytes = CODECS.get(0).encode(Letter.A, Letter.class);
		assertThat(CODECS).allSatisfy((codec) -> assertThatExceptionOfType(CodecException.class)
			.isThrownBy(() -> codec.decode(bytes, 0, bytes.length, LetterLater.class)));
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

	enum LetterLater {

		@JsonProperty("a")
		A

	}

}
