package io.github.lockboot.cache.codec;

import java.sql.Timestamp;
import java.time.Instant;
import java.time.Month;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

import org.springframework.util.ClassUtils;

/**
 * The text of the values of a class of Java whose own format differs between Jackson 2
 * and 3, which would read each other's values as other ones, or that lose a part. Any
 * other text is an exception.
 */
record ValueText<T>(Class<T> type, Function<T, String> write, Function<String, T> read) {

	static List<ValueText<?>> all() {
		Stream<ValueText<?>> always = Stream.of(new ValueText<>(Month.class, Month::name, Month::valueOf),
				new ValueText<>(Locale.class, Locale::toLanguageTag,
						// not forLanguageTag, which returns an empty locale for other
						// texts
						(text) -> new Locale.Builder().setLanguageTag(text).build()));
		boolean sql = ClassUtils.isPresent("java.sql.Timestamp", ValueText.class.getClassLoader());
		return Stream.concat(always, sql ? ofSql() : Stream.empty()).toList();
	}

	/** Keep the nanoseconds, and a date in any time zone. */
	private static Stream<ValueText<?>> ofSql() {
		return Stream.of(
				new ValueText<>(Timestamp.class, (time) -> time.toInstant().toString(),
						(text) -> Timestamp.from(Instant.parse(text))),
				new ValueText<>(java.sql.Date.class, java.sql.Date::toString, java.sql.Date::valueOf));
	}

}
