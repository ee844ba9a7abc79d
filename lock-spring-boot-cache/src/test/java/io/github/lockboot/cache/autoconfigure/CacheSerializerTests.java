package io.github.lockboot.cache.autoconfigure;

import java.io.IOException;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.FirstConnection;
import io.github.lockboot.cache.InvalidCacheAnnotationException;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Caches whose values are serialized by a bean of the application.
 */
@RedisTest
@Timeout(180)
class CacheSerializerTests {

	private final RedisServer redis;

	private final ApplicationContextRunner runner;

	private final ApplicationContextRunner withShapes;

	CacheSerializerTests(RedisServer redis) {
		this.redis = redis;
		this.runner = CachedApplication.on(redis);
		this.withShapes = this.runner.withBean("shapes", ShapeCodec.class);
	}

	@Test
	void theSolutionInTheReportOfTheFailedStartWorks() {
		String property = propertyInFailure(Nameless.class);
		this.withShapes.withBean(Nameless.class).withPropertyValues(property + "=shapes").run((context) -> {
			FirstConnection.await(cache(context));
			Nameless nameless = context.getBean(Nameless.class);
			assertThat(List.of(nameless.find(1), nameless.find(1))).containsExactly(new Circle(1), new Circle(1));
			assertThat(nameless.calls()).isEqualTo(1);
		});
	}

	@Test
	void aSerializerThatACacheNamesIsUsedByNoOther() {
		this.withShapes.withPropertyValues("lock.cache.caches.drawing.serializer=shapes").run((context) -> {
			cache(context).put(CacheSpec.of("circle", Circle.class), 1, new Circle(1));
			assertThat(entry("circle", 1)).endsWith("{\"radius\":1}");
		});
	}

	@Test
	void aSerializerThatNoCacheNamesIsUsedByAllOthers() {
		this.withShapes.withBean("texts", TextCodec.class)
			.withPropertyValues("lock.cache.caches.drawing.serializer=shapes")
			.run((context) -> {
				cache(context).put(CacheSpec.of("title", String.class), 1, "without quotes");
				assertThat(entry("title", 1)).endsWith("without quotes");
			});
	}

	@Test
	void aSerializerInAnEnvironmentVariableAppliesToANameWithDashes() {
		this.withShapes.withPropertyValues("lock.cache.caches.linedrawing.serializer=shapes").run((context) -> {
			CacheSpec<Shape> drawings = CacheSpec.of("line-drawing", Shape.class);
			assertThat(cache(context).get(drawings, 1, () -> new Circle(1))).isEqualTo(new Circle(1));
		});
	}

	@Test
	void aNameWithoutABeanStopsTheStartEvenIfNothingIsCached() {
		this.withShapes.withPropertyValues("lock.cache.caches.drawing.serializer=shpaes")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(LockSetupException.class, (failure) -> {
					assertThat(failure).hasMessageContaining("lock.cache.caches[drawing].serializer names 'shpaes'");
					assertThat(failure.action()).contains("Define a ValueCodec bean of that name")
						.contains("one of these: shapes");
				}));
	}

	@Test
	void aBeanOfAnotherTypeStopsTheStart() {
		this.withShapes.withBean("text", String.class, () -> "text")
			.withPropertyValues("lock.cache.caches.drawing.serializer=text")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("names 'text', which is not a ValueCodec bean"));
	}

	@Test
	void aSpecificationMayHaveItsOwnSerializer() {
		this.runner.run((context) -> {
			CacheSpec<Shape> shapes = CacheSpec.of("shape", Shape.class)
				.with((settings) -> settings.withSerializer(new ShapeCodec()));
			cache(context).put(shapes, 1, new Square(7));
			assertThat(cache(context).get(shapes, 1, () -> new Circle(0))).isEqualTo(new Square(7));
		});
	}

	@Test
	void anEntryInJsonIsAMissForASerializer() {
		this.runner.run((context) -> {
			CacheSpec<String> plain = CacheSpec.of("text", String.class);
			CacheSpec<String> own = plain.with((settings) -> settings.withSerializer(new TextCodec()));
			cache(context).put(plain, 1, "old");
			assertThat(cache(context).getIfPresent(own, 1)).isNull();
			cache(context).put(own, 1, "new");
			assertThat(cache(context).getIfPresent(plain, 1)).isNull();
		});
	}

	static Stream<ValueCodec> failing() {
		return Stream.of(new FailingCodec(), new SneakyCodec());
	}

	@ParameterizedTest
	@MethodSource("failing")
	void anExceptionOfASerializerIsAMissAndNotThrown(ValueCodec codec) {
		this.runner.run((context) -> {
			AtomicInteger loads = new AtomicInteger();
			CacheSpec<Shape> shapes = CacheSpec.of("shape", Shape.class)
				.with((settings) -> settings.withSerializer(codec));
			assertThat(cache(context).get(shapes, 1, () -> new Circle(loads.incrementAndGet())))
				.isEqualTo(new Circle(1));
			assertThat(cache(context).get(shapes, 1, () -> new Circle(loads.incrementAndGet())))
				.isEqualTo(new Circle(2));
		});
	}

	private String propertyInFailure(Class<?> cached) {
		StringBuilder property = new StringBuilder();
		this.withShapes.withBean(cached).run((context) -> {
			assertThat(context).getFailure().isInstanceOf(InvalidCacheAnnotationException.class);
			Matcher named = Pattern.compile("lock\\.cache\\.caches\\[.*?]\\.serializer")
				.matcher(String.valueOf(Objects.requireNonNull(context.getStartupFailure()).getMessage()));
			assertThat(named.find()).isTrue();
			property.append(named.group());
		});
		return property.toString();
	}

	private static CacheOperations cache(ApplicationContext context) {
		return context.getBean(CacheOperations.class);
	}

	private String entry(String cache, int key) {
		List<String> found = this.redis.list("KEYS", "cache:" + cache + ":*:" + key + "}");
		assertThat(found).hasSize(1);
		return String.valueOf(this.redis.command("GET", found.get(0)));
	}

	/** An open type: its subclasses are unknown. */
	interface Shape {

	}

	record Circle(int radius) implements Shape {

	}

	record Square(int side) implements Shape {

	}

	static class Nameless {

		private final AtomicInteger calls = new AtomicInteger();

		int calls() {
			return this.calls.get();
		}

		@RedisCache
		public Object find(int id) {
			this.calls.incrementAndGet();
			return new Circle(id);
		}

	}

	/** Starts with the type of the value. */
	static class ShapeCodec implements ValueCodec {

		@Override
		public byte[] encode(Object value, Type type) {
			String text = (value instanceof Circle circle) ? "circle " + circle.radius()
					: "square " + ((Square) value).side();
			return text.getBytes(StandardCharsets.UTF_8);
		}

		@Override
		public Object decode(byte[] bytes, int offset, int length, Type type) {
			String[] parts = new String(bytes, offset, length, StandardCharsets.UTF_8).split(" ", 2);
			int size = Integer.parseInt(parts[1]);
			return parts[0].equals("circle") ? new Circle(size) : new Square(size);
		}

	}

	static class TextCodec implements ValueCodec {

		@Override
		public byte[] encode(Object value, Type type) {
			return value.toString().getBytes(StandardCharsets.UTF_8);
		}

		@Override
		public Object decode(byte[] bytes, int offset, int length, Type type) {
			return new String(bytes, offset, length, StandardCharsets.UTF_8);
		}

	}

	static class FailingCodec extends TextCodec {

		@Override
		public Object decode(byte[] bytes, int offset, int length, Type type) {
			throw new IllegalStateException("no");
		}

	}

	/** Like a serializer in Kotlin, where signatures do not declare exceptions. */
	static class SneakyCodec extends TextCodec {

		@Override
		public byte[] encode(Object value, Type type) {
			throw SneakyCodec.<RuntimeException>unchecked(new IOException("no"));
		}

		@SuppressWarnings("unchecked")
		private static <X extends Throwable> X unchecked(Throwable failure) throws X {
			throw (X) failure;
		}

	}

}
