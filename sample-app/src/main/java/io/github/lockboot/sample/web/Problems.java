package io.github.lockboot.sample.web;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

import io.github.lockboot.LockException;
import io.github.lockboot.LockNotAcquiredException;

/**
 * Answers every error as {@code application/problem+json}, whose {@code detail} describes
 * the problem.
 */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {

	@ExceptionHandler
	ProblemDetail wrongType(MethodArgumentTypeMismatchException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST,
				"'" + ex.getName() + "' must be " + allowed(ex.getRequiredType()) + " but is '" + ex.getValue() + "'");
	}

	@ExceptionHandler
	ProblemDetail busy(LockNotAcquiredException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, ex.getMessage());
	}

	@ExceptionHandler
	ProblemDetail unavailable(LockException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, ex.getMessage());
	}

	@ExceptionHandler
	ProblemDetail unavailable(DataAccessException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE,
				"Redis or the database can't be used: " + ex.getMessage());
	}

	private static String allowed(@Nullable Class<?> type) {
		if (type != null && type.isEnum()) {
			return "one of " + Arrays.toString(type.getEnumConstants());
		}
		return "a whole number";
	}

}
