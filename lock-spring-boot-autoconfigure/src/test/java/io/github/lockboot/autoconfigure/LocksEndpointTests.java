package io.github.lockboot.autoconfigure;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import javax.management.MBeanServer;
import javax.management.ObjectName;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.actuate.LocksEndpoint;
import io.github.lockboot.actuate.LocksEndpointWebExtension;
import io.github.lockboot.local.LocalLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * The endpoint over HTTP and JMX, in an application with two templates.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LocksEndpointTests {

	private static final String DOMAIN = "lockboot.endpoint";

	private final HttpClient http = HttpClient.newHttpClient();

	@AutoClose
	private final ConfigurableApplicationContext context = start("--management.endpoints.web.exposure.include=locks",
			"--management.endpoint.locks.access=unrestricted", "--spring.jmx.enabled=true",
			"--management.endpoints.jmx.exposure.include=locks", "--management.endpoints.jmx.domain=" + DOMAIN);

	private final LockOperations locks = this.context.getBean("localLockTemplate", LockOperations.class);

	@Test
	void showsHoldsAndWaitersByTemplate() throws Exception {
		try (LockHandle handle = this.locks.acquire("order:42")) {
			CompletableFuture<LockHandle> waiting = this.locks
				.acquireAsync(LockRequest.of("order:42").waitTime(Duration.ofMinutes(5)))
				.toCompletableFuture();
			Map<String, Object> first = template(get(""), "localLockTemplate");
			assertThat(list(first, "held")).singleElement()
				.satisfies((held) -> assertThat(held).containsEntry("name", "order:42")
					.containsEntry("fencingToken", (int) handle.fencingToken())
					.containsEntry("thread", Thread.currentThread().getName())
					.containsEntry("waiters", 1)
					.containsKeys("owner", "since", "remaining", "lease"));
			assertThat(list(first, "waiting")).singleElement()
				.satisfies((waiter) -> assertThat(waiter).containsEntry("name", "order:42").containsKey("since"));
			assertThat(list(template(get(""), "otherLocks"), "held")).isEmpty();
			waiting.cancel(false);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "order:42", "a/b", "a/b/c:d.e", "v1.2.json", "a b", "größe", "100%", "a+b", "{a}", "a?b=c",
			"a#b" })
	void oneLockIsFoundByItsPath(String name) throws Exception {
		try (LockHandle handle = this.locks.acquire(name)) {
			Map<String, Object> found = template(get("/" + path(name)), "localLockTemplate");
			assertThat(list(found, "held")).hasSize(1);
			assertThat(store(found)).containsEntry("name", name)
				.containsEntry("held", true)
				.containsKeys("owner", "remaining", "fencingToken", "holders", "waiting");
			assertThat(handle.isHeld()).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "order:42", "a/b", "a//b", "/a", "a/", "..", "a/../b", "a;b", "a&b", "a b" })
	void oneLockIsFoundByTheParameter(String name) throws Exception {
		try (LockHandle handle = this.locks.acquire(name)) {
			Map<String, Object> found = template(get("?name=" + encoded(name)), "localLockTemplate");
			assertThat(store(found)).containsEntry("name", name).containsEntry("held", handle.isHeld());
		}
	}

	@Test
	void freeLockIsShownWithTheStateOfTheStore() throws Exception {
		Map<String, Object> found = template(get("/free"), "localLockTemplate");
		assertThat(store(found)).containsEntry("held", false);
		assertThat(list(found, "held")).isEmpty();
	}

	@Test
	void locksOfAllInstancesAreShownInPages() throws Exception {
		try (LockHandle first = this.locks.acquire("cluster:1"); LockHandle second = this.locks.acquire("cluster:2")) {
			String page = "?scope=cluster&pattern=cluster:*&limit=1";
			assertThat(list(template(get(page), "localLockTemplate"), "cluster")).singleElement()
				.satisfies((lock) -> assertThat(lock).containsEntry("name", first.name())
					.containsEntry("holders", 1)
					.containsKeys("owner", "remaining", "waiting"));
			assertThat(list(template(get(page + "&after=" + first.name()), "localLockTemplate"), "cluster"))
				.extracting((lock) -> lock.get("name"))
				.containsExactly(second.name());
			assertThat(get("?scope=cluster").toString()).contains(first.name(), second.name());
		}
		assertThat(template(get(""), "localLockTemplate")).doesNotContainKey("cluster");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					GET    | ?scope=jvm                           | the only scope
					GET    | ?scope=cluster&name=a                | has no 'name'
					GET    | ?pattern=a                           | belong to 'scope=cluster'
					GET    | ?scope=cluster&pattern=%20           | Use '*' for all locks
					GET    | ?scope=cluster&pattern=****          | more than 3 '*'
					GET    | ?scope=cluster&limit=0               | from 1 to 1000 but is 0
					GET    | ?scope=cluster&limit=1001            | List more locks in pages
					GET    | ?name=%20                            | must not be blank
					GET    | ?template=third                      | There is no lock template 'third'. There are: localLockTemplate, otherLocks
					GET    | /a?template=third                    | There is no lock template 'third'. There are: localLockTemplate, otherLocks
					DELETE | /a?template=third                    | There is no lock template 'third'
					DELETE | /a                                   | template
					DELETE | ?template=localLockTemplate          | The name of the lock is missing
					DELETE | ?name=%20&template=localLockTemplate | must not be blank
					""")
	void aBadRequestIsRefusedAndNamesTheCure(String method, String request, String cure) throws Exception {
		try (LockHandle handle = this.locks.acquire("a")) {
			HttpResponse<String> response = send(method, request);
			assertThat(response.statusCode()).isEqualTo(400);
			assertThat(response.body()).contains(cure);
			assertThat(handle.isHeld()).isTrue();
		}
	}

	@Test
	void locksThatCallersWaitedForAreShownWithTheirWaits() throws Exception {
		try (LockHandle handle = this.locks.acquire("hot")) {
			assertThat(this.locks.tryAcquire(LockRequest.of("hot").waitTime(Duration.ofMillis(20)))).isNull();
			assertThat(handle.isHeld()).isTrue();
		}
		assertThat(list(get("/hot"), "longestWaits")).singleElement()
			.satisfies((waits) -> assertThat(waits).containsEntry("name", "hot")
				.containsKeys("callers", "total", "longest"));
		assertThat(list(get(""), "longestWaits")).extracting((waits) -> waits.get("name")).contains("hot");
	}

	@Test
	void oneTemplateCanBeChosen() throws Exception {
		assertThat(templates(get("?template=otherLocks"))).containsOnlyKeys("otherLocks");
		assertThat(templates(get("/a?template=otherLocks"))).containsOnlyKeys("otherLocks");
	}

	@Test
	void forcedReleaseNotifiesTheHolder() throws Exception {
		try (LockHandle handle = this.locks.acquire("a/b")) {
			CompletableFuture<Void> notified = new CompletableFuture<>();
			handle.onLost(() -> notified.complete(null));
			HttpResponse<String> response = send("DELETE", "/a/b?template=localLockTemplate");
			assertThat(parse(response)).containsEntry("template", "localLockTemplate")
				.containsEntry("name", "a/b")
				.containsEntry("released", true);
			assertThat(notified).succeedsWithin(Duration.ofSeconds(30));
			assertThat(handle.isHeld()).isFalse();
		}
		assertThat(list(template(get("/a/b"), "localLockTemplate"), "lost")).isNotEmpty()
			.first()
			.satisfies((lost) -> assertThat(lost.get("reason")).asString().contains("released by force"));
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void forcedReleaseIsLoggedWithItsCaller(CapturedOutput output) throws Exception {
		try (LockHandle handle = this.locks.acquire("taken")) {
			send("DELETE", "/taken?template=localLockTemplate");
			assertThat(handle.isHeld()).isFalse();
		}
		assertThat(output).contains("Lock 'taken' of 'localLockTemplate' was released by force, by the endpoint for"
				+ " a caller by HTTP who was not authenticated");
		SecurityContext security = mock();
		given(security.getPrincipal()).willReturn(() -> "alice");
		try (LockHandle handle = this.locks.acquire("taken")) {
			this.context.getBean(LocksEndpointWebExtension.class).forceRelease(security, "taken", "localLockTemplate");
			assertThat(handle.isHeld()).isFalse();
		}
		assertThat(output).contains("was released by force, by the endpoint for 'alice'");
	}

	@Test
	void forcedReleaseByTheParameter() throws Exception {
		try (LockHandle handle = this.locks.acquire("a//b")) {
			send("DELETE", "?template=localLockTemplate&name=" + encoded("a//b"));
			assertThat(handle.isHeld()).isFalse();
		}
	}

	@Test
	void forcedReleaseOfAFreeLockReportsThatItWasFree() throws Exception {
		assertThat(parse(send("DELETE", "/free?template=localLockTemplate"))).containsEntry("released", false);
	}

	@Test
	void isAvailableOverJmxToo() throws Exception {
		MBeanServer server = ManagementFactory.getPlatformMBeanServer();
		ObjectName name = new ObjectName(DOMAIN + ":type=Endpoint,name=Locks");
		String[] strings = { String.class.getName(), String.class.getName() };
		String[] types = Collections.nCopies(6, String.class.getName()).toArray(String[]::new);
		types[5] = Integer.class.getName();
		try (LockHandle handle = this.locks.acquire("jmx")) {
			assertThat(server.invoke(name, "locks", new Object[] { "jmx", null, null, null, null, null }, types))
				.asString()
				.contains("otherLocks", String.valueOf(handle.fencingToken()));
			server.invoke(name, "forceRelease", new Object[] { "jmx", "localLockTemplate" }, strings);
			assertThat(handle.isHeld()).isFalse();
		}
	}

	@Test
	void exposureByAnAsteriskShowsLocksButReleasesNone() throws Exception {
		try (ConfigurableApplicationContext readOnly = start("--management.endpoints.web.exposure.include=*");
				LockHandle handle = readOnly.getBean("localLockTemplate", LockOperations.class).acquire("a")) {
			assertThat(send(readOnly, "GET", "/a").statusCode()).isEqualTo(200);
			assertThat(send(readOnly, "DELETE", "/a?template=localLockTemplate").statusCode()).isEqualTo(405);
			assertThat(handle.isHeld()).isTrue();
		}
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "management.endpoints.web.exposure.include=health", "management.endpoint.locks.access=NONE" })
	void isAbsentUnlessExposedWithAccess(String property) {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(LocalLockAutoConfiguration.class, LocksEndpointAutoConfiguration.class))
			.withPropertyValues("lock.backend=local", "management.endpoints.web.exposure.include=locks", property)
			.run((context) -> assertThat(context).hasSingleBean(LockOperations.class)
				.doesNotHaveBean(LocksEndpoint.class));
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties("lock.backend=local", "server.port=0", "server.address=127.0.0.1",
					"spring.main.banner-mode=off", "spring.datasource.generate-unique-name=true")
			.run(arguments);
	}

	private Map<String, Object> get(String path) throws IOException, InterruptedException {
		return parse(send("GET", path));
	}

	private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
		return send(this.context, method, path);
	}

	private HttpResponse<String> send(ConfigurableApplicationContext context, String method, String path)
			throws IOException, InterruptedException {
		String port = context.getEnvironment().getRequiredProperty("local.server.port");
		URI uri = URI.create("http://127.0.0.1:" + port + "/actuator/locks" + path);
		return this.http.send(HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
				HttpResponse.BodyHandlers.ofString());
	}

	private static Map<String, Object> parse(HttpResponse<String> response) {
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return JsonParserFactory.getJsonParser().parseMap(response.body());
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> templates(Map<String, Object> body) {
		return (Map<String, Object>) body.getOrDefault("templates", Map.of());
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> template(Map<String, Object> body, String name) {
		return (Map<String, Object>) templates(body).getOrDefault(name, Map.of());
	}

	@SuppressWarnings("unchecked")
	private static List<Map<String, Object>> list(Map<String, Object> template, String name) {
		return (List<Map<String, Object>>) template.getOrDefault(name, List.of());
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> store(Map<String, Object> template) {
		return (Map<String, Object>) template.getOrDefault("store", Map.of());
	}

	private static String path(String name) {
		return String.join("/", Arrays.stream(name.split("/")).map(LocksEndpointTests::encoded).toList());
	}

	private static String encoded(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean(defaultCandidate = false)
		LocalLockTemplate otherLocks() {
			return new LocalLockTemplate(LockDefaults.defaults(), List.of());
		}

	}

}
