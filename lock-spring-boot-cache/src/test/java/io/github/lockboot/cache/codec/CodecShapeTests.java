package io.github.lockboot.cache.codec;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Entries of an older version of an application are not read as values of a newer one.
 */
class CodecShapeTests {

	private static final List<ValueCodec> CODECS = List.of(new Jackson3Codec(), new Jackson2Codec());

	@Test
	void aRenamedClassKeepsItsShape() {
		assertSame(Before.class, Renamed.class);
	}

	@Test
	void anAnnotationForClientsDoesNotChangeIt() {
		assertSame(Before.class, Ignoring.class);
	}

	@Test
	void anAdditionalFieldChangesItEvenInsideAList() {
		assertDifferent(Before.class, More.class);
		assertDifferent(new ParameterizedTypeReference<List<Before>>() {
		}.getType(), new ParameterizedTypeReference<List<More>>() {
		}.getType());
	}

	@Test
	void anotherTypeConstantOrContainerChangesIt() {
		assertDifferent(Before.class, Other.class);
		assertDifferent(Letter.class, Letters.class);
		assertDifferent(new ParameterizedTypeReference<List<Before>>() {
		}.getType(), new ParameterizedTypeReference<Set<Before>>() {
		}.getType());
	}

	@Test
	void aTypeThatContainsItselfHasAShape() {
		assertSame(Branch.class, Branch.class);
		Type endless = new ParameterizedTypeReference<Growing<String>>() {
		}.getType();
		assertSame(endless, endless);
	}

	@Test
	void theElementsOfACollectionOfTheApplicationChangeIt() {
		assertDifferent(AllBefore.class, AllMore.class);
	}

	@Test
	void aFieldOfASubtypeChangesIt() {
		assertDifferent(Animals.class, AnimalsLater.class);
	}

	@Test
	void aJsonValueMethodChangesIt() {
		assertDifferent(ByText.class, ByNumber.class);
	}

	@Test
	void aRenamedConstantIsAnException() {
		byte[] bytes = CODECS.get(0).encode(Letter.A, Letter.class);
		assertThat(CODECS).allSatisfy((codec) -> assertThatExceptionOfType(CodecException.class)
			.isThrownBy(() -> codec.decode(bytes, 0, bytes.length, LetterLater.class)));
	}

	@Test
	void aFieldOfAPermittedSubclassChangesIt() {
		assertDifferent(Plant.class, PlantLater.class);
	}

	@Test
	void anUnknownPropertyIsAnException() {
		assertUnreadable("{\"name\":\"a\",\"count\":1,\"more\":true}");
	}

	@Test
	void aMissingPropertyIsAnException() {
		assertUnreadable("{\"count\":1}");
	}

	@Test
	void aFieldOfAnyEnumIsPartOfAShape() {
		assertDifferent(Before.class, OfAnyEnum.class);
	}

	private static void assertSame(Type one, Type other) {
		assertThat(CODECS).allSatisfy((codec) -> assertThat(codec.shape(one)).isEqualTo(codec.shape(other)));
	}

	private static void assertDifferent(Type one, Type other) {
		assertThat(CODECS).allSatisfy((codec) -> assertThat(codec.shape(one)).isNotEqualTo(codec.shape(other)));
	}

	private static void assertUnreadable(String json) {
		byte[] bytes = json.getBytes(UTF_8);
		assertThat(CODECS).allSatisfy((codec) -> assertThatExceptionOfType(CodecException.class)
			.isThrownBy(() -> codec.decode(bytes, 0, bytes.length, Before.class)));
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
