package io.github.lockboot.cache.redis;

import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.lockboot.cache.CacheKey;
import io.github.lockboot.cache.CacheKeyException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class KeyTextTests {

	static Stream<List<Object>> keysAndTexts() {
		return Stream.of(List.of("pen", "pen"), List.of("", ""), List.of("a:b c", "a:b c"), List.of(42, "42"),
				List.of(42L, "42"), List.of('x', "x"), List.of(true, "true"), List.of(new BigDecimal("1.50"), "1.50"),
				List.of(DayOfWeek.FRIDAY, "FRIDAY"), List.of(new UUID(1, 2), "00000000-0000-0001-0000-000000000002"),
				List.of(LocalDate.of(2026, 2, 28), "2026-02-28"), List.of(Duration.ofSeconds(90), "PT1M30S"),
				List.of(Date.from(Instant.ofEpochMilli(1)), "1970-01-01T00:00:00.001Z"),
				List.of(Locale.GERMANY, "de_DE"), List.of(CacheKey.of(), "()"),
				List.of(CacheKey.of("a", 1, null), "(\"a\",1,~)"), List.of(List.of("a,b"), "[\"a,b\"]"),
				List.of(List.of("a", "b"), "[\"a\",\"b\"]"), List.of(new int[] { 1, 2 }, "[1,2]"),
				List.of(new String[] { "a" }, "[\"a\"]"), List.of(new LinkedHashSet<>(List.of(2, 1)), "{1,2}"),
				List.of(new TreeMap<>(Map.of("b", 2, "a", 1)), "{\"a\"=1,\"b\"=2}"),
				List.of(Optional.of("a"), "[\"a\"]"), List.of(Optional.empty(), "[]"),
				List.of(new Point(1, 2), "KeyTextTests$Point(1,2)"), List.of(new Money(5), "\"5 EUR\""));
	}

	@ParameterizedTest
	@MethodSource("keysAndTexts")
	void aKeyHasItsText(List<Object> keyAndText) {
		assertThat(KeyText.of(keyAndText.get(0))).isEqualTo(keyAndText.get(1));
	}

	@Test
	void differentKeysDoNotLookTheSame() {
		Stream<Object> keys = Stream.of("null", CacheKey.of((Object) null), CacheKey.of("null"), CacheKey.of("~"),
				CacheKey.of(), "()", List.of("a", "b"), List.of("a,b"), List.of("a\",\"b"), List.of("a\\", "b"),
				List.of("a\\\",\"b"), "[\"a\",\"b\"]", CacheKey.of("a", "b"), CacheKey.of("a", "b", null),
				Arrays.asList("a", "b", null), List.of(List.of("a"), "b"), List.of(List.of("a", "b")), List.of(1, 2),
				List.of("1", "2"), Set.of(1, 2), Map.of(1, 2), new Point(1, 2), new Size(1, 2), "~", "\"", "\"\"");
		assertThat(keys.map((key) -> KeyText.of(key))).doesNotHaveDuplicates();
	}

	@Test
	void aClassWithoutATextOfItsOwnIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyText.of(new Object()))
			.withMessageContaining("java.lang.Object can't be a key");
	}

	@Test
	void aClassWithoutEqualityIsRefusedAlsoWithinAKey() {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyText.of(List.of(new Texted())))
			.withMessageContaining("Texted can't be a key");
	}

	@Test
	void aNullIsRefusedSinceAllCallersWouldShareOneEntry() {
		assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> KeyText.of("prices", null))
			.withMessage("A key of cache 'prices' can't be used. It is null");
	}

	@Test
	void aKeyThatIsRefusedTellsItsCache() {
		assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> KeyText.of("prices", new Object()))
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

	static class Texted {

		@Override
		public String toString() {
			return "text";
		}

	}

}
