package io.github.lockboot.sample.stampede;

import java.util.Locale;

import org.springframework.core.convert.converter.Converter;
import org.springframework.stereotype.Component;

/**
 * Reads a {@link CacheGuard} from a request parameter, in lower or upper case.
 */
@Component
class CacheGuardConverter implements Converter<String, CacheGuard> {

	@Override
	public CacheGuard convert(String source) {
		return CacheGuard.valueOf(source.toUpperCase(Locale.ROOT));
	}

}
