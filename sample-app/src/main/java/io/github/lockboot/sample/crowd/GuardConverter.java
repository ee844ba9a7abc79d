package io.github.lockboot.sample.crowd;

import java.util.Locale;

import org.springframework.core.convert.converter.Converter;
import org.springframework.stereotype.Component;

/**
 * Reads a {@link Guard} from a request parameter, in small or capital letters.
 */
@Component
class GuardConverter implements Converter<String, Guard> {

	@Override
	public Guard convert(String source) {
		return Guard.valueOf(source.toUpperCase(Locale.ROOT));
	}

}
