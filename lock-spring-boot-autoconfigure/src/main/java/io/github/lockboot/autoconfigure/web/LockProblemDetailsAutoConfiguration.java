package io.github.lockboot.autoconfigure.web;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.web.ErrorResponse;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for problem details (RFC 9457) of
 * requests whose lock failed, in applications with Spring MVC or Spring WebFlux.
 *
 * @since 1.0.0
 */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnClass(ErrorResponse.class)
@ConditionalOnBooleanProperty("lock.problem-details")
public final class LockProblemDetailsAutoConfiguration {

	/** Create the advice, with the order of Spring Boot's own one. */
	@Bean
	@ConditionalOnMissingBean
	@Order(0)
	LockExceptionHandler lockbootExceptionHandler() {
		return new LockExceptionHandler();
	}

}
