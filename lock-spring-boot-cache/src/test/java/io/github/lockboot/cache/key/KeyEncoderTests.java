package io.github.lockboot.cache.key;

import java.awt.Color;
import java.awt.Font;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.chrono.JapaneseDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import kotlin.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;

import io.github.lockboot.cache.CacheKey;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.codec.ValueTypes;
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
				List.of(true, "true"), List.of(new BigDecimal("1.50"), "java.math.BigDecimal(\"1.50\")"),
				List.of(new UUID(1, 2), "00000000-0000-0001-0000-000000000002"),
				List.of(LocalDate.of(2026, 2, 28), "2026-02-28"),
				List.of(DayOfWeek.FRIDAY, "java.time.DayOfWeek(FRIDAY)"),
				List.of(Duration.ofSeconds(90), "java.time.Duration(\"PT1M30S\")"),
				List.of(Instant.ofEpochMilli(1), "java.time.Instant(\"1970-01-01T00:00:00.001Z\")"),
				List.of(new Date(1), "java.util.Date(\"1970-01-01T00:00:00.001Z\")"),
				List.of(new java.sql.Date(1), "java.util.Date(\"1970-01-01T00:00:00.001Z\")"),
				List.of(Locale.GERMANY, "java.util.Locale(\"de\",\"\",\"DE\",\"\",{=})"), List.of(CacheKey.of(), "()"),
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
		UUID id = new UUID(1, 2);
		Stream<Object> keys = Stream.of("null", CacheKey.of((Object) null), CacheKey.of("null"), CacheKey.of("~"),
				CacheKey.of(), "()", List.of("a", "b"), List.of("a,b"), List.of("a\",\"b"), List.of("a\\", "b"),
				List.of("a\\\",\"b"), "[\"a\",\"b\"]", CacheKey.of("a", "b"), CacheKey.of("a", "b", null),
				Arrays.asList("a", "b", null), List.of(List.of("a"), "b"), List.of(List.of("a", "b")), List.of(1, 2),
				List.of("1", "2"), Set.of(1, 2), Map.of(1, 2), Map.entry(1, 2), new Point(1, 2), new Size(1, 2), "~",
				"\"", "\"\"", 1, "1", -1.5, "-1.5", 1E30, "1.0E30", Double.NaN, "NaN", true, "true", id, id.toString(),
				LocalDate.EPOCH, LocalDate.EPOCH.toString(), DayOfWeek.FRIDAY, "FRIDAY",
				KeyEncoder.of(DayOfWeek.FRIDAY), Locale.GERMANY, "de_DE", Year.of(1), String.class,
				String.class.getName(), Optional.empty(), List.of(), Set.of(), Map.of(), "");
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
	void aClassWithoutEqualsIsRejectedEvenInsideAKey() {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyEncoder.of(List.of(new Texted())))
			.withMessageContaining("Texted can't be a key");
	}

	@Test
	void aCollectionWithoutAnOrderIsRejectedWhichEachInstanceMayReadInAnother() {
		for (Object key : List.of(Map.of("a", 1).values(), new HashMap<>(Map.of("a", 1)).values(),
				new PriorityQueue<>())) {
			assertThatIllegalArgumentException().isThrownBy(() -> KeyEncoder.of(key))
				.withMessageContaining("since its elements have no order");
		}
		assertThat(KeyEncoder.of(new ArrayDeque<>(List.of(2, 1)))).isEqualTo("[2,1]");
	}

	static Stream<Object> refused() throws MalformedURLException {
		return Stream.of(ByteBuffer.wrap(new byte[] { 1 }), new Color(1, 2, 3, 4), new Font("Serif", 0, 12),
				Pattern.compile("a"), new AtomicLong(1), new StringBuilder("a"), TimeZone.getTimeZone("UTC"),
				Path.of("a"), URI.create("http://a").toURL(), JapaneseDate.of(2026, 11, 26));
	}

	@ParameterizedTest
	@MethodSource("refused")
	void aClassOfJavaOutsideOfTheListIsRejected(Object key) {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyEncoder.of(List.of(key)))
			.withMessageContaining(key.getClass().getName() + " can't be a key")
			.withMessageContaining("Use its properties");
		assertThat(ValueTypes.areNoKeys(key.getClass())).isTrue();
	}

	/** Neighbours in a row are equal or similar. */
	static List<List<Object>> rows() throws UnknownHostException {
		byte[] address = { 10, 0, 0, 1 };
		byte[] six = new byte[16];
		six[15] = 1;
		InetAddress resolved = InetAddress.getByAddress("shop", address);
		Instant now = Instant.ofEpochSecond(1);
		Locale german = Locale.GERMANY;
		return List.of(List.of("a", new String("a"), "A", "0.1", ""), List.of(0.1f, 0.1d, new BigDecimal("0.1"), 0.1f),
				List.of(1.0, 1.0f, 1, new BigDecimal("1"), new BigDecimal("1.0"), BigDecimal.ONE),
				List.of(0.0, -0.0, Double.NaN, Float.NaN, 0.0f, -0.0f, Double.NaN),
				List.of(new BigInteger("12345678901234567890"), new BigInteger("12345678901234567890"), Long.MAX_VALUE),
				List.of(true, false, "true", "false"), List.of(new UUID(1, 2), new UUID(1, 2), new UUID(2, 1)),
				List.of(resolved, InetAddress.getByAddress(address), InetAddress.getByAddress(six),
						InetAddress.getByAddress("shop", six), InetAddress.getByAddress(new byte[] { 10, 0, 0, 2 })),
				List.of(german, Locale.forLanguageTag("de-DE"), Locale.GERMAN, new Locale("", "", "x"),
						new Locale("", "", "y"), Locale.ROOT, new Locale("no", "NO", "NY"), new Locale("no", "NO"),
						new Locale("nn", "NO"), Locale.forLanguageTag("zh-Hant-TW"), Locale.forLanguageTag("zh-TW"),
						Locale.forLanguageTag("de-DE-u-ca-buddhist"), Locale.forLanguageTag("de-DE-x-own"),
						new Locale("ja", "JP", "JP"), new Locale("th", "TH", "TH")),
				List.of(Currency.getInstance("EUR"), Currency.getInstance("EUR"), Currency.getInstance("USD")),
				List.of(URI.create("http://a/%c3"), URI.create("HTTP://A/%C3"), URI.create("http://a/c3"),
						URI.create("http://a/C3"), URI.create("http://a:80/%c3"), URI.create("http://u@a/%c3"),
						URI.create("http://a/%c3?"), URI.create("http://a/%c3#"), URI.create("mailto:a@b"),
						URI.create("MAILTO:a@b"), URI.create("mailto:A@b"), URI.create("a@b"), URI.create("//a_b/c"),
						URI.create("//A_b/c"), URI.create("file:/a"), URI.create("file:///a")),
				List.of(now, Date.from(now), new java.sql.Date(1000), new java.sql.Time(1000), new Date(1001),
						new java.sql.Date(1001), now.plusNanos(1)),
				List.of(Timestamp.from(now), Timestamp.from(now), Timestamp.from(now.plusNanos(1))),
				List.of(now.atOffset(ZoneOffset.UTC), now.atZone(ZoneOffset.UTC), now.atZone(ZoneId.of("UTC")),
						now.atZone(ZoneOffset.UTC), LocalDate.EPOCH, LocalDate.EPOCH.atStartOfDay(), LocalTime.MIN),
				List.of(ZoneOffset.UTC, ZoneId.of("Z"), ZoneId.of("UTC"), ZoneId.of("Etc/UTC"), ZoneOffset.ofHours(1)),
				List.of(Duration.ofMinutes(60), Duration.ofHours(1), Period.ofMonths(12), Period.ofYears(1)),
				List.of(Year.of(1), YearMonth.of(1, 1), MonthDay.of(1, 1), DayOfWeek.FRIDAY, Month.MAY),
				List.of(String.class, Integer.class, int.class), List.of(Optional.of("a"), Optional.empty(), "a"),
				List.of(new Price(new BigDecimal("1.999")), new Price(new BigDecimal("1.998")),
						new Price(new BigDecimal("1.999"))));
	}

	@ParameterizedTest
	@MethodSource("rows")
	void equalKeysHaveOneTextAndDifferentKeysHaveDifferentTexts(List<Object> row) {
		// integers of two types with one value share an entry
		for (Object one : row) {
			for (Object other : row) {
				assertThat(KeyEncoder.of(one).equals(KeyEncoder.of(other)))
					.as("%s and %s: %s and %s", one, other, KeyEncoder.of(one), KeyEncoder.of(other))
					.isEqualTo(one.equals(other));
				assertThat(KeyEncoder.of(List.of(one)).equals(KeyEncoder.of(List.of(other))))
					.isEqualTo(one.equals(other));
			}
			assertThat(ValueTypes.areNoKeys(one.getClass())).isFalse();
		}
	}

	@Test
	void anAddressIsTheSameKeyAfterItsNameWasResolved() throws UnknownHostException {
		InetAddress address = InetAddress.getByAddress(new byte[] { 127, 0, 0, 1 });
		String before = KeyEncoder.of(address);
		assertThat(address.getHostName()).isNotEmpty();
		assertThat(KeyEncoder.of(address)).isEqualTo(before);
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
			.withMessage("A key of cache 'prices' can't be used. It contains itself, or has more than 100 levels");
	}

	@Test
	void aKeyMayHaveAHundredLevels() {
		Object key = List.of();
		for (int i = 1; i < 100; i++) {
			key = List.of(key);
		}
		assertThat(KeyEncoder.of(key)).isEqualTo("[".repeat(100) + "]".repeat(100));
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
			.withMessageContaining("java.lang.Object can\'t be a key")
			.withMessageContaining("Use its properties, or make it a record")
			.satisfies((refusal) -> assertThat(refusal.cacheName()).isEqualTo("prices"));
	}

	record Point(int x, int y) {
	}

	record Price(BigDecimal amount) {

		@Override
		public BigDecimal amount() {
			return this.amount.setScale(2, RoundingMode.HALF_UP);
		}

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
