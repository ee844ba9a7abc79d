package io.github.lockboot.sample.stampede;

import java.util.Locale;

import org.springframework.core.convert.converter.Converter;
import org.springframework.stereotype.Component;

/**
 * Reads a {@link Shelter} from a request parameter, in small or capital letters.
 */
@Component
class ShelterConverter implements Converter<String, Shelter> {

	@Override
	public Shelter convert(String source) {
		return Shelter.valueOf(source.toUpperCase(Locale.ROOT));
	}

}
