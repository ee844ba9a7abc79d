package io.github.lockboot.cache.redis;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

import kotlin.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;

import io.github.lockboot.cache.CacheKey;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.protocol.CacheKeys;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyEncoderTests {

	static Stream<List<Object>> keysAndTexts() {
		String own = KeyEncoderTests.class.getName();
		return Stream.of(List.of("pen", "pen"), List.of("", ""), List.of("a:b c", "a:b c"), List.of("4711-a", "4711-a"),
				List.of("42", "\"42\""), List.of(42, "42"), List.of(42L, "42"), List.of('x', "x"),
				List.of(true, "true"), List.of(new BigDecimal("1.50"), "1.50"),
				List.of(new UUID(1, 2), "00000000-0000-0001-0000-000000000002"),
				List.of(LocalDate.of(2026, 2, 28), "2026-02-28"),
				List.of(DayOfWeek.FRIDAY, "java.time.DayOfWeek(FRIDAY)"),
				List.of(Duration.ofSeconds(90), "java.time.Duration(\"PT1M30S\")"),
				List.of(Instant.ofEpochMilli(1), "java.time.Instant(\"1970-01-01T00:00:00.001Z\")"),
				List.of(new Date(1), "java.util.Date(1970-01-01T00:00:00.001Z)"),
				List.of(new java.sql.Date(1), "java.sql.Date(1970-01-01T00:00:00.001Z)"),
				List.of(Locale.GERMANY, "java.util.Locale(\"de_DE\")"), List.of(CacheKey.of(), "()"),
				List.of(CacheKey.of("a", 1, null), "(\"a\",1,~)"), List.of(List.of("a,b"), "[\"a,b\"]"),
				List.of(List.of("a", "b"), "[\"a\",\"b\"]"), List.of(new int[] { 1, 2 }, "[1,2]"),
				List.of(new String[] { "a" }, "[\"a\"]"), List.of(new LinkedHashSet<>(List.of(2, 1)), "{1,2}"),
				List.of(new TreeMap<>(Map.of("b", 2, "a", 1)), "{\"a\"=1,\"b\"=2}"),
				List.of(Map.entry("a", 1), "(\"a\"=1)"), List.of(Optional.of("a"), "java.util.Optional(\"a\")"),
				List.of(new Point(1, 2), own + "$Point(1,2)"), List.of(new Money(5), own + "$Money(euros=5)"),
				List.of(new Bean("a"), own + "$Bean(name=\"a\")"),
				List.of(new Pair<>("a, b", "c"), "kotlin.Pair(\"a, b\",\"c\")"));
	}

	@ParameterizedTest
	@MethodSource("keysAndTexts")
	void aKeyIsEncodedAsText(List<Object> keyAndText) {
		assertThat(KeyEncoder.of(keyAndText.get(0))).isEqualTo(keyAndText.get(1));
	}

	@Test
	void differentKeysHaveDifferentTexts() {
		Stream<Object> keys = Stream.of("null", CacheKey.of((Object) null), CacheKey.of("null"), CacheKey.of("~"),
				CacheKey.of(), "()", List.of("a", "b"), List.of("a,b"), List.of("a\",\"b"), List.of("a\\", "b"),
				List.of("a\\\",\"b"), "[\"a\",\"b\"]", CacheKey.of("a", "b"), CacheKey.of("a", "b", null),
				Arrays.asList("a", "b", null), List.of(List.of("a"), "b"), List.of(List.of("a", "b")), List.of(1, 2),
				List.of("1", "2"), Set.of(1, 2), Map.of(1, 2), Map.entry(1, 2), new Point(1, 2), new Size(1, 2), "~",
				"\"", "\"\"");
		assertThat(keys.map((key) -> KeyEncoder.of(key))).doesNotHaveDuplicates();
	}

	@Test
	void textsAreDistinguishedFromValuesOfOtherTypes() {
		UUID id = new UUID(1, 2);
		Stream<Object> keys = Stream.of(1, "1", -1.5, "-1.5", 1E30, "1.0E30", Double.NaN, "NaN", true, "true", id,
				id.toString(), LocalDate.EPOCH, LocalDate.EPOCH.toString(), DayOfWeek.FRIDAY, "FRIDAY",
				KeyEncoder.of(DayOfWeek.FRIDAY), Locale.GERMANY, "de_DE", Year.of(1), String.class,
				String.class.getName());
		assertThat(keys.map((key) -> KeyEncoder.of(key))).doesNotHaveDuplicates();
	}

	@Test
	void constantsOfTwoTypesAreDifferentKeys() {
		assertThat(KeyEncoder.of(Colour.RED)).isNotEqualTo(KeyEncoder.of(Light.RED));
	}

	@Test
	void timesOfTwoTypesAreDifferentKeys() {
		Instant now = Instant.ofEpochSecond(1);
		Stream<Object> keys = Stream.of(now, Date.from(now), Timestamp.from(now), new java.sql.Date(1000),
				now.atOffset(ZoneOffset.UTC), now.atZone(ZoneOffset.UTC), now.toString());
		assertThat(keys.map((key) -> KeyEncoder.of(key))).doesNotHaveDuplicates();
	}

	@Test
	void emptyValuesOfDifferentKindsAreDifferentKeys() {
		Stream<Object> keys = Stream.of(Optional.empty(), List.of(), Set.of(), Map.of(), CacheKey.of(), "");
		assertThat(keys.map((key) -> KeyEncoder.of(key))).doesNotHaveDuplicates();
	}

	@Test
	void unpairedSurrogatesAreDifferentKeysEvenAsBytes() {
		Stream<Object> keys = Stream.of("\ud800", "\ud801", "?", "\\ud800", "\ud83d\ude00", List.of("\ud800"),
				List.of("\ud801"), List.of("?"), List.of("\\ud800"));
		assertThat(keys.map((key) -> new String(KeyEncoder.of(key).getBytes(UTF_8), UTF_8))).doesNotHaveDuplicates();
	}

	@Test
	void aTextIsDistinguishedFromTheDigestOfALongOne() {
		String digested = CacheKeys.shorten("x".repeat(300));
		assertThat(CacheKeys.shorten(KeyEncoder.of(digested))).isNotEqualTo(digested);
	}

	@Test
	void equalKeysHaveOneText() {
		assertThat(KeyEncoder.of(PageRequest.of(1, 10, Sort.by("name").descending())))
			.isEqualTo(KeyEncoder.of(PageRequest.of(1, 10, Sort.by(Sort.Order.desc("name")))))
			.isNotEqualTo(KeyEncoder.of(PageRequest.of(1, 10, Sort.by("name"))));
	}

	@Test
	void aClassWithoutFieldsIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyEncoder.of(new Object()))
			.withMessageContaining("java.lang.Object can't be a key");
	}

	@Test
	void aClassWithoutEqualsIsRejectedEvenInsideAKey() {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyEncoder.of(List.of(new Texted())))
			.withMessageContaining("Texted can't be a key");
	}

	@Test
	void aBufferIsRejectedBecauseItsTextDoesNotShowItsContents() {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyEncoder.of(ByteBuffer.wrap(new byte[] { 1 })))
			.withMessageContaining("HeapByteBuffer can't be a key");
	}

	@Test
	void aClassWithAFieldThatMayNotBelongToItsValueIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyEncoder.of(new Hashed()))
			.withMessageContaining("since its field hashCode is neither final nor has a getter");
	}

	@Test
	void aKeyThatContainsItselfIsRejected() {
		List<Object> endless = new ArrayList<>();
		endless.add(endless);
		assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> KeyEncoder.of("prices", endless))
			.withMessage("A key of cache 'prices' can't be used. It contains itself");
	}

	@Test
	void aNullIsRejectedBecauseAllCallersWouldShareOneEntry() {
		assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> KeyEncoder.of("prices", null))
			.withMessage("A key of cache 'prices' can't be used. It is null");
	}

	@Test
	void aRejectedKeyNamesItsCache() {
		assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> KeyEncoder.of("prices", new Object()))
			.withMessageContaining("cache 'prices'")
			.withMessageContaining("use its properties, or make it a record")
			.satisfies((refusal) -> assertThat(refusal.cacheName()).isEqualTo("prices"));
	}

	record Point(int x, int y) {
	}

	record Size(int width, int height) {
	}

	static final class Money {

		private final int euros;

		Money(int euros) {
			this.euros = euros;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Money money && money.euros == this.euros;
		}

		@Override
		public int hashCode() {
			return this.euros;
		}

		@Override
		public String toString() {
			return this.euros + " EUR";
		}

	}

	enum Colour {

		RED

	}

	enum Light {

		RED

	}

	/** Its text is no help. */
	static class Bean {

		private String name;

		Bean(String name) {
			this.name = name;
		}

		public String getName() {
			return this.name;
		}

		public void setName(String name) {
			this.name = name;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Bean bean && bean.name.equals(this.name);
		}

		@Override
		public int hashCode() {
			return this.name.hashCode();
		}

		@Override
		public String toString() {
			return "Bean";
		}

	}

	static class Hashed {

		private int hashCode;

		@Override
		public boolean equals(Object other) {
			return other instanceof Hashed;
		}

		@Override
		public int hashCode() {
			this.hashCode = 1;
			return this.hashCode;
		}

	}

	static class Texted {

		@Override
		public String toString() {
			return "text";
		}

	}

}
