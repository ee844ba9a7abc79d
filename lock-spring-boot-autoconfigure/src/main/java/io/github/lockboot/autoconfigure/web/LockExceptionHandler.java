package io.github.lockboot.autoconfigure.web;

import java.lang.reflect.Method;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

import io.github.lockboot.LockException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.StaleTokenException;

/**
 * Turns exceptions of locks into problem details. The responses do not contain the name
 * of the lock, because names may contain data of other users. The handler comes before
 * those of an application for all exceptions, and after those for exceptions of locks.
 */
@ControllerAdvice
class LockExceptionHandler implements Ordered {

	/** In seconds: a section is usually shorter, and an outage need not last longer. */
	private static final String RETRY_AFTER = "1";

	private final ListableBeanFactory beanFactory;

	LockExceptionHandler(ListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/** Return the order of Spring Boot's own advice, unless the application has one. */
	@Override
	public int getOrder() {
		boolean handled = Stream.of(this.beanFactory.getBeanNamesForAnnotation(ControllerAdvice.class))
			.map(this.beanFactory::getType)
			.filter((type) -> type != null && !LockExceptionHandler.class.isAssignableFrom(type))
			.flatMap((type) -> MethodIntrospector.selectMethods(type, LockExceptionHandler::handled).values().stream())
			.anyMatch((exceptions) -> Stream.of(exceptions).anyMatch(LockException.class::isAssignableFrom));
		return handled ? LOWEST_PRECEDENCE : 0;
	}

	private static Class<?> @Nullable [] handled(Method method) {
		ExceptionHandler handler = AnnotatedElementUtils.findMergedAnnotation(method, ExceptionHandler.class);
		if (handler == null) {
			return null;
		}
		return (handler.value().length > 0) ? handler.value() : method.getParameterTypes();
	}

	@ExceptionHandler
	ErrorResponse busy(LockNotAcquiredException ex) {
		boolean tooMany = ex.reason() == LockNotAcquiredException.Reason.TOO_MANY_WAITING;
		return ErrorResponse
			.builder(ex, tooMany ? HttpStatus.TOO_MANY_REQUESTS : HttpStatus.LOCKED,
					tooMany ? "Too many requests wait for the resource." : "The resource is in use by another request.")
			.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER)
			.build();
	}

	@ExceptionHandler
	ErrorResponse unavailable(LockUnavailableException ex) {
		return ErrorResponse.builder(ex, HttpStatus.SERVICE_UNAVAILABLE, "The request cannot be processed at present.")
			.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER)
			.build();
	}

	/**
	 * Refuse without a time for the next attempt: the client has to find out first what
	 * its request has changed.
	 */
	@ExceptionHandler({ LockLostException.class, StaleTokenException.class })
	ErrorResponse lost(LockException ex) {
		return ErrorResponse
			.builder(ex, HttpStatus.CONFLICT, "Another request may have changed the resource meanwhile.")
			.build();
	}

}
