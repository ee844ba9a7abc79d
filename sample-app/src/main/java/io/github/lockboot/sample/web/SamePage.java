package io.github.lockboot.sample.web;

import java.util.List;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Refuses actions that a page of another site requests: the visitor of that page has not
 * pressed a button here. Browsers name the origin of a request, other programs do not.
 */
@Configuration(proxyBeanMethods = false)
class SamePage implements WebMvcConfigurer, HandlerInterceptor {

	@Override
	public void addInterceptors(InterceptorRegistry registry) {
		registry.addInterceptor(this);
	}

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
		String site = request.getHeader("Sec-Fetch-Site");
		if (request.getMethod().equals("POST") && site != null && !List.of("same-origin", "none").contains(site)) {
			throw new ResponseStatusException(HttpStatus.FORBIDDEN, "Only the page of this instance may do this");
		}
		return true;
	}

}
