package io.github.lockboot.expression;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.chrono.HijrahDate;
import java.time.chrono.JapaneseDate;
import java.time.chrono.JapaneseEra;
import java.time.chrono.MinguoDate;
import java.time.chrono.ThaiBuddhistDate;
import java.util.BitSet;
import java.util.Currency;
import java.util.Date;
import java.util.EventObject;
import java.util.GregorianCalendar;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.StringJoiner;
import java.util.TimeZone;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * The text of a key of each type, in every zone and language.
 */
class KeyTextTests {

	private static final Instant NOON = Instant.parse("2026-11-29T12:00:00.123Z");

	static Stream<Arguments> keys() {
		UUID uuid = new UUID(1, 2);
		return Stream.of(arguments("a b", "a b"), arguments(new StringBuilder("text"), "text"),
				arguments(new StringBuffer("text"), "text"), arguments(CharBuffer.wrap("text"), "text"),
				arguments(new StringJoiner(",").add("a").add("b"), "a,b"), arguments('c', "c"), arguments(true, "true"),
				arguments((byte) 1, "1"), arguments((short) 2, "2"), arguments(3, "3"), arguments(4L, "4"),
				arguments(1.5f, "1.5"), arguments(-0.0, "-0.0"), arguments(0.0, "0.0"), arguments(BigInteger.TEN, "10"),
				arguments(new BigDecimal("1.0"), "1.0"), arguments(new BigDecimal("1.00"), "1.00"),
				arguments(new AtomicInteger(5), "5"), arguments(new AtomicLong(6), "6"),
				arguments(new AtomicBoolean(), "false"), arguments(new LongAdder(), "0"),
				arguments(new LongAccumulator(Long::sum, 7), "7"), arguments(new DoubleAdder(), "0.0"),
				arguments(new DoubleAccumulator(Double::sum, 8), "8.0"), arguments(uuid, uuid.toString()),
				arguments(DayOfWeek.MONDAY, "MONDAY"), arguments(Size.LARGE, "LARGE"),
				// times
				arguments(NOON, "2026-11-29T12:00:00.123Z"), arguments(LocalDate.EPOCH, "1970-01-01"),
				arguments(LocalTime.NOON, "12:00"), arguments(LocalDateTime.MIN, "-999999999-01-01T00:00"),
				arguments(NOON.atOffset(ZoneOffset.UTC), "2026-11-29T12:00:00.123Z"),
				arguments(OffsetTime.of(LocalTime.NOON, ZoneOffset.UTC), "12:00Z"),
				arguments(NOON.atZone(ZoneId.of("Asia/Tokyo")), "2026-11-29T21:00:00.123+09:00[Asia/Tokyo]"),
				arguments(Year.of(2026), "2026"), arguments(YearMonth.of(2026, 11), "2026-11"),
				arguments(MonthDay.of(11, 29), "--11-29"), arguments(Duration.ofHours(36), "PT36H"),
				arguments(Period.ofDays(2), "P2D"), arguments(ZoneId.of("Asia/Tokyo"), "Asia/Tokyo"),
				arguments(ZoneOffset.ofHours(2), "+02:00"),
				arguments(HijrahDate.of(1448, 1, 2), "Hijrah-umalqura AH 1448-01-02"),
				arguments(JapaneseDate.of(2026, 1, 2), "Japanese Reiwa 8-01-02"), arguments(JapaneseEra.REIWA, "Reiwa"),
				arguments(MinguoDate.of(115, 1, 2), "Minguo ROC 115-01-02"),
				arguments(ThaiBuddhistDate.of(2569, 1, 2), "ThaiBuddhist BE 2569-01-02"),
				// as what they mean
				arguments(Date.from(NOON), "2026-11-29T12:00:00.123Z"), arguments(new Date(0) {
				}, "1970-01-01T00:00:00Z"), arguments(timestamp(), "2026-11-29T12:00:00.123456789Z"),
				arguments(GregorianCalendar.from(NOON.atZone(ZoneId.of("Asia/Tokyo"))), "2026-11-29T12:00:00.123Z"),
				arguments(TimeZone.getTimeZone("Asia/Tokyo"), "Asia/Tokyo"),
				arguments(new SimpleTimeZone(0, "Mine"), "Mine"),
				arguments(address("shop.test", 10, 0, 0, 1), "10.0.0.1"),
				arguments(address(null, 10, 0, 0, 1), "10.0.0.1"), arguments(address6(), "fe80:0:0:0:0:0:0:1"),
				arguments(Optional.of(7), "7"), arguments(OptionalInt.of(3), "3"), arguments(OptionalLong.of(4), "4"),
				arguments(OptionalDouble.of(1.5), "1.5"),
				arguments(Optional.of(Date.from(Instant.EPOCH)), "1970-01-01T00:00:00Z"),
				// names
				arguments(URI.create("shop:1"), "shop:1"), arguments(url(), "http://shop.test/a"),
				arguments(Path.of("a", "b"), "a" + File.separator + "b"), arguments(new File("a"), "a"),
				arguments(Locale.GERMANY, "de_DE"), arguments(Currency.getInstance("EUR"), "EUR"),
				arguments(StandardCharsets.UTF_8, "UTF-8"), arguments(Pattern.compile("a+"), "a+"),
				arguments(BitSet.valueOf(new long[] { 5 }), "{0, 2}"),
				arguments(String.class, "class java.lang.String"),
				arguments(ClassUtils.getMethod(Supplier.class, "get"),
						"public abstract java.lang.Object java.util.function.Supplier.get()"),
				// of the application
				arguments(new Order(7, "x"), "Order[id=7, detail=x]"),
				arguments(new Order(7, NOON), "Order[id=7, detail=" + NOON + "]"),
				arguments(new Order(7, List.of("b", "a")), "Order[id=7, detail=[b, a]]"),
				arguments(new Order(7, new TreeSet<>(Set.of("b", "a"))), "Order[id=7, detail=[a, b]]"),
				arguments(new Order(7, Set.of("a")), "Order[id=7, detail=[a]]"),
				arguments(new Named(new Date()), "named"), arguments(proxy("text"), "text"));
	}

	static Stream<Arguments> refused() {
		Thread thread = Thread.currentThread();
		return Stream.of(arguments(null, "is null"), arguments(Optional.empty(), "is null"),
				arguments(OptionalLong.empty(), "is null"), arguments(" ", "is blank"),
				arguments(new StringBuilder(), "is blank"), arguments(Locale.ROOT, "is blank"),
				arguments(Double.NaN, "is NaN, which is not a number"),
				arguments(Float.POSITIVE_INFINITY, "is Infinity, which is not a number"),
				arguments(thread, "is a java.lang.Thread, of which no text is known to be the same in every JVM"),
				arguments(ByteBuffer.allocate(1), "is a java.nio.HeapByteBuffer, of which no text is known"),
				arguments(new AtomicReference<>("a"), "AtomicReference, of which no text is known"),
				arguments(CompletableFuture.completedFuture("a"), "CompletableFuture, of which no text is known"),
				arguments(new InetSocketAddress("127.0.0.1", 80), "InetSocketAddress, of which no text is known"),
				arguments(Clock.systemUTC(), "Clock, of which no text is known"),
				arguments(Map.entry("a", "b"), "of which no text is known"),
				arguments(proxy("text").getClass(), "is a java.lang.Class, of which no text is known"),
				arguments(new EventObject("a") {
				}, "of which no text is known"), arguments(new Object(), "of which no text is known"),
				arguments(new KeyTextTests(), "without a toString() of its own"),
				arguments(proxy("com.shop.Order@" + Integer.toHexString(9)), "without a toString() of its own"),
				arguments(List.of("a"), "is a collection where one value is needed"),
				arguments(Map.of("a", "b"), "is a map where one value is needed"),
				arguments(new int[1], "is an array where one value is needed"),
				arguments(new Order(7, new Date()),
						"whose text contains its field 'detail' of the type java.util.Date"),
				arguments(new Order(7, new Order(8, timestamp())), "whose text contains its field 'detail'"),
				arguments(new Order(7, new byte[1]), "its field 'detail' of the type byte[]"),
				arguments(new Order(7, Set.of("a", "b")), "its field 'detail'"),
				arguments(new Order(7, new LinkedHashSet<>(List.of(new Date()))), "its field 'detail'"),
				arguments(new Order(7, Optional.of(thread)), "its field 'detail'"),
				arguments(new Order(7, Map.of("a", new KeyTextTests())), "its field 'detail'"));
	}

	@ParameterizedTest
	@MethodSource("keys")
	void aKeyHasOneTextInEveryZoneAndLanguage(Object value, String text) {
		TimeZone zone = TimeZone.getDefault();
		Locale locale = Locale.getDefault();
		try {
			for (String other : List.of("UTC", "Asia/Kathmandu", "America/Los_Angeles")) {
				TimeZone.setDefault(TimeZone.getTimeZone(other));
				Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
				assertThat(KeyText.of(value)).isEqualTo(text);
				assertThat(KeyText.of(value)).isEqualTo(text);
			}
		}
		finally {
			TimeZone.setDefault(zone);
			Locale.setDefault(locale);
		}
	}

	/** They have no instant: a row of a database has the same date in every zone. */
	@ParameterizedTest
	@ValueSource(strings = { "UTC", "Asia/Kathmandu" })
	void datesAndTimesOfSqlAreLocalAndKeepTheirMilliseconds(String other) {
		TimeZone zone = TimeZone.getDefault();
		try {
			TimeZone.setDefault(TimeZone.getTimeZone(other));
			java.sql.Time time = java.sql.Time.valueOf("10:15:00");
			assertThat(KeyText.of(java.sql.Date.valueOf("2026-11-29"))).isEqualTo("2026-11-29");
			assertThat(KeyText.of(time)).isEqualTo("10:15:00");
			assertThat(KeyText.of(new java.sql.Time(time.getTime() + 45))).isEqualTo("10:15:00.045");
		}
		finally {
			TimeZone.setDefault(zone);
		}
	}

	@ParameterizedTest
	@MethodSource("refused")
	void aValueWithoutSuchATextIsRefused(@Nullable Object value, String reason) {
		assertThatIllegalArgumentException().isThrownBy(() -> KeyText.of(value)).withMessageContaining(reason);
	}

	/** A type that a later JDK adds is refused until it stands in the list of keys. */
	@ParameterizedTest
	@ValueSource(strings = { "java.base/java/lang", "java.base/java/util", "java.base/java/util/concurrent/atomic",
			"java.base/java/util/regex", "java.base/java/time", "java.base/java/time/chrono", "java.base/java/net",
			"java.base/java/math", "java.base/java/io", "java.base/java/nio", "java.base/java/nio/charset",
			"java.base/java/nio/file", "java.sql/java/sql" })
	void eachTypeOfJavaThatIsAKeyIsInTheList(String folder) throws IOException {
		List<Class<?>> listed = Stream
			.concat(keys().<Object>map((key) -> key.get()[0]),
					Stream.of(java.sql.Date.valueOf("2026-11-29"), new java.sql.Time(0)))
			.<Class<?>>map(Object::getClass)
			.toList();
		try (Stream<Path> files = Files
			.list(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules/" + folder))) {
			assertThat(files.map((file) -> String.valueOf(file.getFileName()))
				.filter((file) -> file.matches("\\w+(\\$\\w+)?\\.class"))
				.<Class<?>>map((file) -> type(folder, file))
				.filter((type) -> Modifier.isPublic(type.getModifiers()) && !type.isInterface() && !type.isEnum())
				.filter(KeyText::isKeyOfJava))
				.allSatisfy((type) -> assertThat(listed).as(type.getName()).anyMatch(type::isAssignableFrom));
		}
	}

	private static Class<?> type(String folder, String file) {
		String name = folder.substring(folder.indexOf('/') + 1).replace('/', '.') + "." + file.replace(".class", "");
		return ClassUtils.resolveClassName(name, null);
	}

	private static Timestamp timestamp() {
		Timestamp timestamp = Timestamp.from(NOON);
		timestamp.setNanos(123_456_789);
		return timestamp;
	}

	private static InetAddress address(@Nullable String host, int... numbers) {
		byte[] address = new byte[numbers.length];
		for (int i = 0; i < numbers.length; i++) {
			address[i] = (byte) numbers[i];
		}
		try {
			return Inet4Address.getByAddress(host, address);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static InetAddress address6() {
		byte[] address = new byte[16];
		address[0] = (byte) 0xfe;
		address[1] = (byte) 0x80;
		address[15] = 1;
		try {
			return Inet6Address.getByAddress(null, address, 3);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static URL url() {
		try {
			return new URL("http://shop.test/a");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Return a proxy whose target has a text. */
	private static Object proxy(String text) {
		return Proxy.newProxyInstance(KeyTextTests.class.getClassLoader(), new Class<?>[] { Supplier.class },
				(proxy, method, arguments) -> method.getName().equals("hashCode") ? (Object) 9 : text);
	}

	enum Size {

		LARGE {
			@Override
			public String toString() {
				return "large";
			}
		}

	}

	record Order(long id, Object detail) {

	}

	record Named(Date date) {

		@Override
		public String toString() {
			return "named";
		}

	}

}
