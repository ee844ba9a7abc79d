package io.github.lockboot.sample.web;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/**
 * Ends each answer with a line break, for readers at a terminal.
 */
@Configuration(proxyBeanMethods = false)
class Answers {

	@Bean
	JacksonJsonHttpMessageConverter linesOfJson(JsonMapper mapper) {
		return new JacksonJsonHttpMessageConverter(mapper) {

			@Override
			protected void writeSuffix(JsonGenerator generator, Object value) {
				generator.writeRaw('\n');
			}

		};
	}

}
