package io.github.lockboot.sample.web;

import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Reads request parameters by the rules of configuration properties: an enum also in
 * lower case.
 */
@Configuration(proxyBeanMethods = false)
class RequestParameters implements WebMvcConfigurer {

	@Override
	public void addFormatters(FormatterRegistry registry) {
		ApplicationConversionService.addApplicationConverters(registry);
	}

}
