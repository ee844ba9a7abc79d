package io.github.lockboot.autoconfigure.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.StaleTokenException;
import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What clients of a web application receive if a lock fails.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LockProblemDetailsTests {

	private final HttpClient http = HttpClient.newHttpClient();

	@AutoClose
	private final ConfigurableApplicationContext context = start(Shop.class);

	@Test
	void aBusyLockIsLockedAndMayBeTriedAgainInASecond() throws Exception {
		try (LockHandle handle = this.context.getBean(LockOperations.class).acquire("stock:secret")) {
			HttpResponse<String> response = get(this.context, "/busy");
			assertThat(response.statusCode()).isEqualTo(423);
			assertThat(response.headers().firstValue("Retry-After")).contains("1");
			assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
			Map<String, Object> problem = JsonParserFactory.getJsonParser().parseMap(response.body());
			assertThat(problem).containsEntry("status", 423)
				.containsEntry("detail", "The resource is in use by another request.");
			assertThat(response.body()).doesNotContain("secret");
			assertThat(handle.isHeld()).isTrue();
		}
	}

	@ParameterizedTest
	@CsvSource({ "/refused, 429, 1, Too many requests wait for the resource.", "/unavailable, 503, 1, ''",
			"/lost, 409, , ''", "/stale, 409, , ''" })
	void anotherFailureHasItsStatusAndATimeForTheNextAttemptIfThatHelps(String path, int status,
			@Nullable String retryAfter, String detail) throws Exception {
		HttpResponse<String> response = get(this.context, path);
		assertThat(response.statusCode()).isEqualTo(status);
		assertThat(response.headers().firstValue("Retry-After")).isEqualTo(Optional.ofNullable(retryAfter));
		assertThat(response.body()).contains(detail).doesNotContain("secret");
	}

	@Test
	void withoutThePropertyTheApplicationHandlesTheException() throws Exception {
		try (ConfigurableApplicationContext plain = start(Shop.class, "--lock.problem-details=false")) {
			assertThat(get(plain, "/lost").statusCode()).isEqualTo(500);
		}
	}

	@Test
	void anApplicationsOwnHandlerForLocksComesFirstWhateverItsOrder() throws Exception {
		try (ConfigurableApplicationContext own = start(ShopWithOwnHandler.class)) {
			assertThat(get(own, "/refused").statusCode()).isEqualTo(410);
		}
	}

	@ParameterizedTest
	@CsvSource({ "/unavailable, 503", "/refused, 429" })
	void springWebFluxRespondsAlike(String path, int status) {
		WebTestClient client = WebTestClient.bindToController(new Orders())
			.controllerAdvice(new LockExceptionHandler(new StaticListableBeanFactory()))
			.build();
		client.get()
			.uri(path)
			.exchange()
			.expectStatus()
			.isEqualTo(status)
			.expectHeader()
			.valueEquals("Retry-After", "1")
			.expectHeader()
			.contentType("application/problem+json");
	}

	private HttpResponse<String> get(ConfigurableApplicationContext application, String path)
			throws IOException, InterruptedException {
		URI uri = URI
			.create("http://localhost:" + application.getEnvironment().getProperty("local.server.port") + path);
		return this.http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
	}

	private static ConfigurableApplicationContext start(Class<?> application, String... properties) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.SERVLET)
			.properties("server.port=0", "lock.backend=local")
			.run(properties);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Orders.class, AllExceptions.class })
	static class Shop {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Orders.class, OwnHandler.class })
	static class ShopWithOwnHandler {

	}

	/** Has the lowest precedence, because it has no order. */
	@ControllerAdvice
	static class OwnHandler {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.GONE)
		void handle(LockException ex) {
		}

	}

	/** Comes after the handler of the locks, because it has no order. */
	@ControllerAdvice
	static class AllExceptions {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		void handle(Exception ex) {
		}

	}

	@RestController
	static class Orders {

		@GetMapping("/busy")
		@DistributedLock(name = "stock", key = "'secret'", waitTime = "0")
		public String busy() {
			return "";
		}

		@GetMapping("/unavailable")
		public String unavailable() {
			throw new LockUnavailableException("stock:secret", "Redis does not reply", null);
		}

		@GetMapping("/refused")
		public String refused() {
			throw LockNotAcquiredException.tooManyWaiting("stock:secret", Duration.ZERO, 100);
		}

		@GetMapping("/lost")
		public String lost() {
			throw new LockLostException("stock:secret", "the lease expired", Duration.ofSeconds(1), 7);
		}

		@GetMapping("/stale")
		public String stale() {
			throw new StaleTokenException("stock:secret", 7, 8);
		}

	}

}
