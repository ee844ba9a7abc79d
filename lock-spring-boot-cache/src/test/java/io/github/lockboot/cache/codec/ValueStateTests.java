package io.github.lockboot.cache.codec;

import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFilter;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonView;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ResolvableType;
import org.springframework.data.domain.PageImpl;
import org.springframework.util.LinkedCaseInsensitiveMap;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The whole state of a value is written, whatever an application shows to its clients,
 * and lost state is detected.
 */
class ValueStateTests {

	private static final List<ValueCodec> CODECS = List.of(new Jackson3Codec(), new Jackson2Codec());

	static Stream<Object> kept() {
		return Stream.of(new Account(), new Secret(), new Hidden(), new Formatted(), new Silent(), new Filtered(),
				new Overloaded(), new Final(), new Explicit("x"), new Listed("secret", 1), new Cat());
	}

	@ParameterizedTest
	@MethodSource("kept")
	void theStateOfAValueIsRestored(Object value) {
		Type type = (value instanceof Animal) ? Animal.class : value.getClass();
		assertThat(CODECS).allSatisfy((codec) -> assertThat(difference(codec, type, value)).isNull());
	}

	@Test
	void aSetKeepsItsOrder() {
		Type type = new ParameterizedTypeReference<Set<String>>() {
		}.getType();
		Set<String> value = new LinkedHashSet<>(IntStream.range(0, 50).mapToObj((i) -> "k" + (50 - i)).toList());
		assertThat(CODECS).allSatisfy((codec) -> assertThat(List.copyOf((Set<?>) roundTrip(codec, type, value)))
			.isEqualTo(List.copyOf(value)));
	}

	@Test
	void computedPropertiesAreNotWritten() {
		assertThat(CODECS).allSatisfy((codec) -> assertThat(new String(codec.encode(new Explicit("x"), Explicit.class)))
			.isEqualTo("{\"name\":\"x\"}"));
	}

	@Test
	void aSubclassThatIsRestoredAsItsSuperclassIsDetected() {
		assertFound(Base.class, new Sub(), "a " + Sub.class.getName() + " comes back as a " + Base.class.getName());
		assertFound(new ParameterizedTypeReference<List<Base>>() {
		}.getType(), List.of(new Base(), new Sub()), "an element of a collection: a " + Sub.class.getName());
	}

	@Test
	void anObjectThatIsRestoredAsAMapIsDetected() {
		Any any = new Any(new Base());
		assertFound(Any.class, any, "field value of " + Any.class.getName() + ": a " + Base.class.getName()
				+ " comes back as a java.util.LinkedHashMap");
		any.value = 5L;
		assertFound(Any.class, any, "a java.lang.Long comes back as a java.lang.Integer");
	}

	@Test
	void lostStateIsDetectedEvenIfTheClassIgnoresItInEquals() {
		assertThat(new ValueDifference().find(Set.of(new Entity(1, "a")), Set.of(new Entity(1, null))))
			.isEqualTo("field name of " + Entity.class.getName() + ": a java.lang.String comes back as null");
		assertThat(new ValueDifference().find(List.of(new Entity(1, "a")), List.of(new Entity(1, null)))).isNotNull();
	}

	@Test
	void aLocaleThatIsRestoredAsAnotherOneIsDetected() {
		Locale locale = new Locale("no", "NO", "NY");
		assertThat(locale).hasToString("no_NO_NY");
		assertThat(CODECS).allSatisfy((codec) -> {
			Object read = roundTrip(codec, Locale.class, locale);
			assertThat(difference(codec, Locale.class, locale) == null).isEqualTo(read.equals(locale));
		});
	}

	@Test
	void theNameOfAnAddressThatIsLostIsDetected() throws UnknownHostException {
		byte[] address = { 127, 0, 0, 1 };
		assertThat(new ValueDifference().find(InetAddress.getByAddress("shop", address),
				InetAddress.getByAddress(address)))
			.isNotNull();
	}

	@Test
	void aSubclassOfAClassOfJavaIsComparedAsThatToo() {
		assertThat(new ValueDifference().find(new Stamp(1), new Stamp(2))).contains(Stamp.class.getName());
		assertThat(new ValueDifference().find(new Stamp(1), new Stamp(1))).isNull();
	}

	@Test
	void arraysAreComparedByTheirElements() {
		assertThat(new ValueDifference().find(new int[] { 1 }, new int[] { 2 })).isNotNull();
		assertThat(new ValueDifference().find(new byte[][] { { 1 } }, new byte[][] { { 2 } })).isNotNull();
	}

	@Test
	void elementsInAnotherOrderAreFoundInSetsAndMaps() {
		assertThat(new ValueDifference().find(new LinkedHashSet<>(List.of(1, 2)), new LinkedHashSet<>(List.of(2, 1))))
			.isNull();
		assertThat(new ValueDifference().find(Map.of("a", 1, "b", 2), new TreeMap<>(Map.of("b", 2, "a", 1)))).isNull();
		assertThat(new ValueDifference().find(Map.of("a", 1, "b", 2), Map.of("a", 1, "b", 3))).isNotNull();
		assertThat(new ValueDifference().find(Map.of("a", 1), Map.of("b", 1))).isNotNull();
		assertThat(new ValueDifference().find(List.of(1, 2), List.of(2, 1))).isNotNull();
	}

	@Test
	void valuesThatReferToThemselvesAreCompared() {
		Any one = new Any(null);
		one.value = one;
		Any other = new Any(null);
		other.value = other;
		assertThat(new ValueDifference().find(one, other)).isNull();
	}

	/**
	 * Values, the types that methods declare for them, and whether they come back the
	 * same.
	 */
	static Stream<Arguments> vouched() {
		Map<String, String> insensitive = new LinkedCaseInsensitiveMap<>();
		insensitive.put("Name", "pen");
		Properties withDefaults = new Properties(System.getProperties());
		Properties properties = new Properties();
		properties.setProperty("a", "b");
		PriorityQueue<Integer> queue = new PriorityQueue<>(List.of(3, 1, 2));
		Reference cyclic = new Reference("x");
		cyclic.next = cyclic;
		Map<String, Integer> linked = new LinkedHashMap<>(Map.of("zz", 1));
		IntStream.range(0, 50).forEach((i) -> linked.put("k" + (50 - i), i));
		return Stream.of(row(true, Reference.class, new Reference("$")), row(false, Reference.class, cyclic),
				row(false, List.class, new Titled("t", List.of("a")), String.class),
				row(false, List.class, new Backed(List.of("a"), 7), String.class),
				row(true, List.class, new ArrayList<>(List.of("a")) {
				}, String.class), row(false, Map.class, insensitive, String.class, String.class),
				row(false, Properties.class, withDefaults), row(true, Properties.class, properties),
				row(false, Queue.class, queue, Integer.class), row(true, PriorityQueue.class, queue, Integer.class),
				row(false, PriorityQueue.class, new PriorityQueue<>(Comparator.<Integer>reverseOrder()), Integer.class),
				row(false, PriorityBlockingQueue.class,
						new PriorityBlockingQueue<>(9, Comparator.<Integer>reverseOrder()), Integer.class),
				row(false, TreeMap.class, new TreeMap<>(String.CASE_INSENSITIVE_ORDER), String.class, String.class),
				row(false, Map.class, new IdentityHashMap<>(Map.of("a", 1)), String.class, Integer.class),
				row(false, HashMap.class, linked, String.class, Integer.class),
				row(true, Map.class, linked, String.class, Integer.class),
				row(true, Map.class, new TreeMap<>(linked), String.class, Integer.class),
				row(true, Map.class, new EnumMap<>(Map.of(Twin.ONE, 1)), Twin.class, Integer.class),
				row(true, Map.class, Collections.synchronizedMap(linked), String.class, Integer.class),
				row(true, List.class, Collections.unmodifiableList(List.of("a")), String.class),
				row(true, String[][].class, new String[][] { { "a" }, {} }),
				row(false, BitSet.class, BitSet.valueOf(new long[] { 5 })),
				row(false, PageImpl.class, new PageImpl<>(List.of("a")), String.class),
				row(false, Map.Entry.class, new Pair("a", "b", "c"), String.class, String.class),
				row(true, Map.Entry.class, Map.entry("a", 1), String.class, Integer.class),
				row(true, Timestamp.class, Timestamp.valueOf("2026-02-28 12:34:56.123456789")),
				row(true, java.sql.Date.class, java.sql.Date.valueOf("2026-02-28")), row(true, Twin.class, Twin.ONE),
				row(true, Twin.class, Twin.OTHER), row(false, Holder.class, new Holder(new Sub())),
				row(false, Any.class, new Any(Set.of(1))), row(true, Any.class, new Any("a")),
				row(false, Pattern.class, Pattern.compile("a", Pattern.CASE_INSENSITIVE)),
				row(false, Map.class, Map.of(new Role("admin"), 1), Role.class, Integer.class),
				row(false, Rounded.class, new Rounded(new BigDecimal("1.999"), "x")),
				row(false, Rounded.class, new Rounded(new BigDecimal("1.00"), null)),
				row(false, Growing.class, new Growing(1)),
				row(false, List.class, List.of(new Growing(1)), Growing.class),
				row(true, Maybe.class, new Maybe(Optional.of("x"))), row(false, Maybe.class, new Maybe(null)),
				row(true, Arrays.class, new Arrays(new int[] { 1 }, new String[] { "a" }, new byte[][] { { 1 } })));
	}

	private static Arguments row(boolean same, Class<?> type, Object value, Class<?>... arguments) {
		return Arguments.of(same,
				(arguments.length > 0) ? ResolvableType.forClassWithGenerics(type, arguments).getType() : type, value);
	}

	@ParameterizedTest
	@MethodSource("vouched")
	void aValueThatDoesNotComeBackTheSameIsDetected(boolean same, Type type, Object value) {
		assertThat(CODECS).allSatisfy((codec) -> assertThat(isDifferent(codec, type, value)).isEqualTo(!same));
	}

	private static boolean isDifferent(ValueCodec codec, Type type, Object value) {
		try {
			return difference(codec, type, value) != null;
		}
		catch (CodecException ex) {
			return true;
		}
	}

	private static void assertFound(Type type, Object value, String difference) {
		assertThat(CODECS).allSatisfy((codec) -> assertThat(difference(codec, type, value)).contains(difference));
	}

	private static @Nullable String difference(ValueCodec codec, Type type, Object value) {
		return new ValueDifference().find(value, roundTrip(codec, type, value));
	}

	private static Object roundTrip(ValueCodec codec, Type type, Object value) {
		byte[] bytes = codec.encode(value, type);
		return codec.decode(bytes, 0, bytes.length, type);
	}

	/** Hides properties from clients by annotations. */
	@JsonIgnoreProperties("ignoredByName")
	static class Account {

		private String name = "Ann";

		@JsonIgnore
		private String ignored = "a";

		@JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
		private String writeOnly = "b";

		@JsonProperty(access = JsonProperty.Access.READ_ONLY)
		private String readOnly = "c";

		private String ignoredByName = "d";

		private String ignoredByGetter = "e";

		@JsonView(String.class)
		private String ofAView = "f";

		public String getName() {
			return this.name;
		}

		public void setName(String name) {
			this.name = name;
		}

		@JsonIgnore
		public String getIgnoredByGetter() {
			return this.ignoredByGetter;
		}

		public void setIgnoredByGetter(String ignoredByGetter) {
			this.ignoredByGetter = ignoredByGetter;
		}

		@JsonIgnore
		public String getComputed() {
			throw new IllegalStateException("Nobody asks");
		}

		void change() {
			this.name = "Bea";
			this.ignored = "g";
			this.writeOnly = "h";
			this.readOnly = "i";
			this.ignoredByName = "j";
			this.ofAView = "k";
		}

		Account() {
			if (constructed()) {
				change();
			}
		}

		/** Not for a codec, which has to set all fields itself. */
		private static boolean constructed() {
			return StackWalker.getInstance()
				.walk((frames) -> frames.noneMatch((frame) -> frame.getClassName().contains("jackson")));
		}

	}

	/** Has no getters. */
	static class Secret {

		private int state = Account.constructed() ? 42 : 0;

	}

	@JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.NONE, getterVisibility = JsonAutoDetect.Visibility.NONE)
	static class Hidden {

		private int state = Account.constructed() ? 42 : 0;

		public int getState() {
			return this.state;
		}

	}

	static class Formatted {

		@JsonFormat(shape = JsonFormat.Shape.STRING, pattern = "yyyy")
		public LocalDate day = LocalDate.of(2026, 2, 28);

	}

	@JsonInclude(JsonInclude.Include.NON_NULL)
	static class Silent {

		public @Nullable String text = Account.constructed() ? null : "text";

	}

	@JsonFilter("nobody knows")
	static class Filtered {

		public int state = Account.constructed() ? 42 : 0;

	}

	static class Overloaded {

		private Date time = new Date(Account.constructed() ? 42 : 0);

		public Date getTime() {
			return this.time;
		}

		public void setTime(Date time) {
			this.time = time;
		}

		@JsonIgnore
		public void setTime(String time) {
			throw new IllegalStateException(time);
		}

	}

	static class Final {

		private final List<String> texts = new ArrayList<>();

		Final() {
			if (Account.constructed()) {
				this.texts.add("x");
			}
		}

		public List<String> getTexts() {
			return this.texts;
		}

	}

	record Explicit(String name) {

		@JsonProperty
		public String upper() {
			return this.name.toUpperCase(java.util.Locale.ROOT);
		}

		public String getMore() {
			return this.name;
		}

	}

	record Listed(@JsonIgnore String hidden, @JsonProperty("renamed") int number) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	@JsonSubTypes(@JsonSubTypes.Type(value = Cat.class, name = "cat"))
	interface Animal {

	}

	static class Cat implements Animal {

		private int lives = Account.constructed() ? 9 : 0;

	}

	enum Twin {

		ONE, OTHER;

		@Override
		public String toString() {
			return "twin";
		}

	}

	static class Base {

		public int number = 1;

	}

	static class Sub extends Base {

		public int more = 2;

	}

	record Holder(Base base) {
	}

	record Maybe(@Nullable Optional<String> text) {
	}

	static class Any {

		public @Nullable Object value;

		@JsonCreator
		Any(@JsonProperty("value") @Nullable Object value) {
			this.value = value;
		}

	}

	static class Role {

		private final String name;

		Role(String name) {
			this.name = name;
		}

		public static Role valueOf(String name) {
			return new Role(name);
		}

		@Override
		public String toString() {
			return "role " + this.name;
		}

	}

	record Rounded(BigDecimal price, @Nullable String text) {

		@Override
		public BigDecimal price() {
			return this.price.setScale(2, RoundingMode.HALF_UP);
		}

		@Override
		public String text() {
			return (this.text != null) ? this.text : "";
		}

	}

	record Growing(int number) {

		Growing {
			number++;
		}

	}

	record Arrays(int[] numbers, String[] texts, byte[][] bytes) {
	}

	@SuppressWarnings("serial")
	static class Stamp extends Date {

		Stamp(long time) {
			super(time);
		}

	}

	/** Like an entity of a database, which is identified by its id. */
	static class Entity {

		private final int id;

		private final @Nullable String name;

		Entity(int id, @Nullable String name) {
			this.id = id;
			this.name = name;
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Entity entity && entity.id == this.id;
		}

		@Override
		public int hashCode() {
			return Objects.hash(this.id);
		}

	}

	/** Named as in JSON Schema. */
	static class Reference {

		private @Nullable String $ref;

		private @Nullable Reference next;

		Reference() {
		}

		Reference(String ref) {
			this.$ref = ref;
		}

	}

	@SuppressWarnings("serial")
	static class Titled extends ArrayList<String> {

		private final String title;

		Titled(String title, List<String> all) {
			super(all);
			this.title = title;
		}

	}

	static class Backed extends AbstractList<String> {

		private final List<String> all;

		private final int total;

		Backed(List<String> all, int total) {
			this.all = all;
			this.total = total;
		}

		@Override
		public String get(int index) {
			return this.all.get(index);
		}

		@Override
		public int size() {
			return this.all.size();
		}

	}

	@SuppressWarnings("serial")
	static class Pair extends AbstractMap.SimpleEntry<String, String> {

		private final String more;

		Pair(String key, String value, String more) {
			super(key, value);
			this.more = more;
		}

	}

}
