package io.github.lockboot.sample.crowd;

import java.util.Locale;

import org.springframework.core.convert.converter.Converter;
import org.springframework.stereotype.Component;

/**
 * Reads a {@link Guard} from a request parameter, in lower or upper case.
 */
@Component
class GuardConverter implements Converter<String, Guard> {

	@Override
	public Guard convert(String source) {
		return Guard.valueOf(source.toUpperCase(Locale.ROOT));
	}

}
