package io.github.lockboot.autoconfigure.web;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
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
@ConditionalOnBooleanProperty(name = "lock.problem-details", matchIfMissing = true)
public final class LockProblemDetailsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LockExceptionHandler lockbootExceptionHandler(ListableBeanFactory beanFactory) {
		return new LockExceptionHandler(beanFactory);
	}

}
