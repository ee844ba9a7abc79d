package io.github.lockboot.cache.codec;

import java.io.File;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.Currency;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Values are restored equal and with the right type, with both Jacksons.
 */
class ValueCodecTests {

	private static final List<ValueCodec> CODECS = List.of(new Jackson3Codec(), new Jackson2Codec());

	static Stream<Value> values() {
		return Stream.of(value(String.class, "a \"quoted\" \u00fc"), value(int.class, 42), value(Long.class, 1L << 60),
				value(double.class, 0.1), value(boolean.class, true), value(char.class, 'x'),
				value(BigDecimal.class, new BigDecimal("1.10")), value(BigDecimal.class, new BigDecimal("1E+30")),
				value(BigDecimal.class, new BigDecimal("0.12345678901234567890123456789")),
				value(BigInteger.class, BigInteger.TWO.pow(100)), value(DayOfWeek.class, DayOfWeek.FRIDAY),
				value(Letter.class, Letter.A), value(UUID.class, new UUID(1, 2)),
				value(Instant.class, Instant.ofEpochSecond(1_234_567_890, 123_456_789)),
				value(LocalDate.class, LocalDate.of(2026, 2, 28)), value(LocalTime.class, LocalTime.of(1, 2, 3, 4)),
				value(LocalDateTime.class, LocalDateTime.of(2026, 2, 28, 1, 2, 3, 4)),
				value(ZonedDateTime.class,
						ZonedDateTime.of(LocalDateTime.of(2026, 2, 28, 1, 2), ZoneId.of("Europe/Berlin"))),
				value(OffsetDateTime.class, OffsetDateTime.parse("2026-02-28T01:02:03.000000004+05:30")),
				value(Duration.class, Duration.ofNanos(1_234_567_890_123L)),
				value(YearMonth.class, YearMonth.of(2026, 2)), value(byte[].class, new byte[] { 0, -1, 127 }),
				value(int[].class, new int[] { 1, 2 }), value(Point[].class, new Point[] { new Point(1, 2) }),
				value(Point.class, new Point(1, 2)), value(Line.class, new Line("x", List.of(new Point(1, 2)), null)),
				value(Node.class, new Node(1, List.of(new Node(2, List.of())))),
				value(new ParameterizedTypeReference<List<Point>>() {
				}, Stream.of(new Point(1, 2)).toList()), value(new ParameterizedTypeReference<List<Point>>() {
				}, List.of()), value(new ParameterizedTypeReference<Set<Letter>>() {
				}, Set.of(Letter.A)), value(new ParameterizedTypeReference<Map<String, List<Point>>>() {
				}, Map.of("a", List.of(new Point(1, 2)), "b", List.of())),
				value(new ParameterizedTypeReference<Map<Long, BigDecimal>>() {
				}, Map.of(1L, new BigDecimal("2.50"))),
				value(new ParameterizedTypeReference<Map<Letter, Optional<Point>>>() {
				}, Map.of(Letter.B, Optional.of(new Point(3, 4)))),
				value(new ParameterizedTypeReference<Page<Point>>() {
				}, new Page<>(List.of(new Point(1, 2)), 7)));
	}

	@ParameterizedTest
	@MethodSource("values")
	void aValueIsRestoredEqualByEachJacksonWhicheverHasWrittenIt(Value value) {
		CODECS.forEach((writer) -> {
			byte[] bytes = writer.encode(value.value(), value.type());
			assertThat(CODECS).allSatisfy((reader) -> assertThat(difference(reader, bytes, value)).isNull());
		});
	}

	/** Values of Java that are special to a Jackson. */
	static Stream<Value> special() {
		TimeZone berlin = TimeZone.getTimeZone("Europe/Berlin");
		BitSet bits = new BitSet();
		bits.set(3);
		return Stream
			.of((byte) 1, (short) 2, 1.5f, Float.NaN, Double.NEGATIVE_INFINITY, new Date(1_234_567_890_123L),
					java.sql.Date.valueOf("2026-02-28"), Time.valueOf("12:34:56"),
					Timestamp.valueOf("2026-02-28 12:34:56.123456789"), new GregorianCalendar(berlin),
					new GregorianCalendar(TimeZone.getTimeZone("UTC")), Month.MARCH, Period.of(1, 2, 3),
					MonthDay.of(2, 3), OffsetTime.parse("01:02:03.5+05:30"), Year.of(2026), Year.of(-5), Instant.MAX,
					Instant.MIN, LocalDate.of(-5, 1, 1), LocalDate.of(12345, 1, 1), ZoneOffset.ofHours(3),
					ZonedDateTime.parse("2026-02-28T01:02:03+01:00[UTC]"), ChronoUnit.DAYS, TimeUnit.DAYS,
					Locale.GERMANY, Locale.ROOT, Locale.forLanguageTag("zh-Hant-TW"), new Locale("", "DE"),
					Locale.forLanguageTag("de-DE-u-co-phonebk"), new Locale("no", "NO", "NY"),
					Currency.getInstance("EUR"), berlin, URI.create("http://a/b?c"), new File("a/b"), Path.of("a/b"),
					InetAddress.getLoopbackAddress(), InetSocketAddress.createUnresolved("shop", 80),
					StandardCharsets.UTF_8, Pattern.compile("a"), String.class, new AtomicInteger(1),
					new AtomicBoolean(true), new StringBuilder("x"), ByteBuffer.wrap(new byte[] { 1, 2 }), bits,
					new BitSet(), new char[] { 'a', 'b' }, new double[] { 2 }, new String[] { "a", null },
					new int[][] { { 1 }, { 2, 3 } }, new char[][] { { 'a' } }, OptionalInt.of(1), OptionalLong.empty())
			.flatMap((value) -> {
				Class<?> type = value.getClass();
				return Stream.of(value(type, value),
						value(ResolvableType.forClassWithGenerics(List.class, type).getType(), List.of(value)),
						value(ResolvableType.forClassWithGenerics(Map.class, type, Integer.class).getType(),
								Map.of(value, 1)),
						value(ResolvableType.forClassWithGenerics(Optional.class, type).getType(), Optional.of(value)));
			});
	}

	@ParameterizedTest
	@MethodSource("special")
	void whatEitherJacksonStoresTheOtherReadsEqual(Value value) {
		for (ValueCodec writer : CODECS) {
			byte[] bytes = stored(writer, value);
			assertThat(CODECS)
				.allSatisfy((reader) -> assertThat((bytes != null) ? difference(reader, bytes, value) : null).isNull());
		}
	}

	/** Return the bytes, or {@code null} if the cache does not store the value. */
	private static byte @Nullable [] stored(ValueCodec codec, Value value) {
		try {
			byte[] bytes = codec.encode(value.value(), value.type());
			return (difference(codec, bytes, value) == null) ? bytes : null;
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	private static @Nullable String difference(ValueCodec codec, byte[] bytes, Value value) {
		return new ValueDifference().find(value.value(), codec.decode(bytes, 0, bytes.length, value.type()));
	}

	@ParameterizedTest
	@MethodSource("earlier")
	void aTextOfAnEarlierVersionIsAnException(Class<?> type, String json) {
		byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
		assertThat(CODECS)
			.allSatisfy((codec) -> assertThatException().isThrownBy(() -> codec.decode(bytes, 0, bytes.length, type)));
	}

	static Stream<Arguments> earlier() {
		return Stream.of(Arguments.of(Month.class, "3"), Arguments.of(Locale.class, "\"zh_TW_#Hant\""),
				Arguments.of(java.sql.Date.class, "\"2026-02-28T00:00:00.000Z\""));
	}

	@ParameterizedTest
	@MethodSource("values")
	void noClassNameIsStored(Value value) {
		assertThat(CODECS).allSatisfy(
				(codec) -> assertThat(new String(codec.encode(value.value(), value.type()), StandardCharsets.UTF_8))
					.doesNotContain("lockboot", "java.", "Point"));
	}

	@ParameterizedTest
	@MethodSource("values")
	void noneOfTheTypesIsOpen(Value value) {
		assertThat(ValueTypes.findOpen(value.type())).isNull();
	}

	@Test
	void bytesAroundAValueAreNotRead() {
		byte[] bytes = "xx\"abc\"yy".getBytes(StandardCharsets.UTF_8);
		assertThat(CODECS).allSatisfy((codec) -> assertThat(codec.decode(bytes, 2, 5, String.class)).isEqualTo("abc"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"x\":", "[1]", "{\"x\":1,\"y\":2,\"more\":true}", "{\"y\":1}" })
	void garbageOrAnotherTypeOrAnUnknownOrMissingPropertyIsAnException(String json) {
		byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
		assertThat(CODECS).allSatisfy((codec) -> assertThatExceptionOfType(CodecException.class)
			.isThrownBy(() -> codec.decode(bytes, 0, bytes.length, Point.class)));
	}

	@Test
	void aRenamedConstantIsAnException() {
		byte[] bytes = CODECS.get(0).encode(Letter.A, Letter.class);
		assertThat(CODECS).allSatisfy((codec) -> assertThatExceptionOfType(CodecException.class)
			.isThrownBy(() -> codec.decode(bytes, 0, bytes.length, LetterLater.class)));
	}

	@Test
	void aValueThatCannotBeSerializedIsAnException() {
		assertThat(CODECS).allSatisfy((codec) -> assertThatExceptionOfType(CodecException.class)
			.isThrownBy(() -> codec.encode(new Failing(), Failing.class)));
	}

	@Test
	void theJacksonOfTheClassPathIsChosen() {
		assertThat(ValueCodec.json()).isInstanceOf(Jackson3Codec.class);
	}

	private static Value value(Type type, Object value) {
		return new Value(type, value);
	}

	private static <T> Value value(ParameterizedTypeReference<T> type, T value) {
		return new Value(type.getType(), Objects.requireNonNull(value));
	}

	record Value(Type type, Object value) {
	}

	enum Letter {

		A, B {
			@Override
			public String toString() {
				return "bee";
			}
		}

	}

	record Point(int x, int y) {
	}

	record Line(String name, List<Point> points, @Nullable String remark) {
	}

	record Node(int id, List<Node> children) {
	}

	record Page<T>(List<T> items, int total) {
	}

	static class Failing {

		private String value = "";

		public String getValue() {
			throw new IllegalStateException("can't");
		}

	}

	enum LetterLater {

		@JsonProperty("a")
		A

	}

}
