package io.github.lockboot.sample;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two instances in two JVMs that start at the same time, with a separate Redis and
 * database file.
 */
@Tag("long")
class SampleProcessesTests {

	/**
	 * Lease of the locks and of the registrations, and an allowance for a busy machine.
	 */
	private static final Duration LEASE = Duration.ofSeconds(5 + 20);

	private static final int REDIS_PORT = SampleProcess.freePort();

	private static Path folder;

	private static SampleProcess first;

	private static SampleProcess second;

	@BeforeAll
	static void startBothAtOnce(@TempDir Path temporary) {
		folder = temporary;
		first = SampleProcess.start(folder, REDIS_PORT, "--sample.peers=true");
		second = SampleProcess.start(folder, REDIS_PORT, "--sample.peers=true");
		awaitRegistered(first, second);
	}

	@AfterAll
	static void stop() {
		first.close();
		second.close();
	}

	@BeforeEach
	void twoInstancesAreRegistered() {
		awaitRegistered(first, second);
		assertThat(first.instances()).containsExactlyInAnyOrder(first.url(), second.url());
	}

	@Test
	void saleWithLockSellsExactlyTheStock() {
		JsonNode sale = first.post("/flash-sale?buyers=500&stock=100&guard=lock&timeline=true");
		assertThat(sale.get("sold").intValue()).as(sale.toString()).isEqualTo(100);
		assertThat(sale.get("oversold").intValue()).isZero();
		assertThat(sale.get("soldOut").intValue()).isEqualTo(400);
		assertThat(sale.get("callTimes").get("count").intValue()).isEqualTo(500);
		assertThat(sale.get("timeline").get(99).get("stock").intValue()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "database", "version" })
	void saleWithAGuardOfTheDatabaseSellsExactlyTheStock(String guard) {
		JsonNode sale = first.post("/flash-sale?timeline=true&guard=" + guard);
		assertThat(sale.get("sold").intValue()).as(sale.toString()).isEqualTo(100);
		assertThat(sale.get("timeline").get(99).get("stock").intValue()).isZero();
		assertThat(sale.get("retries").intValue() > 0).as(sale.toString()).isEqualTo(guard.equals("version"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "redisson", "spring-integration", "lock4j" })
	void saleWithAGuardOfAnotherLibrarySellsExactlyTheStock(String guard) {
		JsonNode sale = first.post("/flash-sale?buyers=40&stock=20&guard=" + guard);
		assertThat(sale.get("verdict").stringValue()).isEqualTo("Exactly right: 20 sold of 20");
		// acquire and release, of each buyer
		assertThat(sale.get("commandsPerBuyer").doubleValue()).isGreaterThanOrEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			/flash-sale?buyers=1&stock=3 | Exactly right: 1 sold of 3, 2 left
			/stampede?callers=3          | 1 query for 3 callers
			""")
	void answerBeginsWithTheVerdictAndEndsWithALineBreak(String path, String verdict) {
		assertThat(first.text(path)).startsWith("{\n  \"verdict\" : \"" + verdict)
			.endsWith("}\n")
			.doesNotContain("timeline");
	}

	@Test
	void bothInstancesTakePartInASale() {
		JsonNode sale = second.post("/flash-sale?buyers=100&stock=100&guard=lock");
		assertThat(sale.get("instances").valueStream().map((share) -> share.get("succeeded").intValue()))
			.containsExactly(50, 50);
	}

	@Test
	void saleWithoutLockOversells() {
		assertThat(Stream.generate(() -> first.post("/flash-sale?buyers=500&stock=100&guard=none"))
			.limit(5)
			.anyMatch((sale) -> sale.get("oversold").intValue() > 0)).isTrue();
	}

	@Test
	void stampedeWithCacheRunsOneQueryInBothInstances() {
		JsonNode stampede = first.post("/stampede?callers=500&guard=cache");
		assertThat(stampede.get("queries").intValue()).as(stampede.toString()).isEqualTo(1);
		assertThat(stampede.get("instances").valueStream().map((share) -> share.get("succeeded").intValue()))
			.containsExactly(250, 250);
	}

	@Test
	void stampedeWithoutCacheRunsAQueryForEachCaller() {
		JsonNode stampede = second.post("/stampede?callers=100&guard=none&timeline=true");
		assertThat(stampede.get("queries").intValue()).as(stampede.toString()).isEqualTo(100);
		assertThat(stampede.get("timeline").valueStream().map((query) -> query.get("instance").stringValue()))
			.contains(first.url(), second.url());
	}

	@Test
	void pageThatOneInstanceHasCachedIsShownByTheOther() {
		JsonNode page = first.get("/products/lamp");
		assertThat(page.get("stars").doubleValue()).as(page.toString()).isEqualTo(4);
		assertThat(second.get("/products/lamp")).isEqualTo(page);
	}

	@Test
	void pageOfAnUnknownProductIsNotFound() {
		JsonNode problem = first.get("/products/dodo");
		assertThat(problem.get("status").intValue()).as(problem.toString()).isEqualTo(404);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					/flash-sale?buyers=0                    | 400 | 'buyers' must be between 1 and 5000 but is 0
					/flash-sale?stock=-1                    | 400 | 'stock' must be between 0 and 5000 but is -1
					/flash-sale?guard=foo                   | 400 | 'guard' must be one of [none, lock, database, version, redisson, spring-integration, lock4j] but is 'foo'
					/flash-sale?buyers=many                 | 400 | 'buyers' must be a whole number but is 'many'
					/stampede?callers=0                     | 400 | 'callers' must be between 1 and 5000 but is 0
					/stampede?guard=lock                    | 400 | 'guard' must be one of [none, cache] but is 'lock'
					""",
			quoteCharacter = '"')
	void badInputIsRefusedWithAReason(String path, int status, String reason) {
		JsonNode problem = first.post(path);
		assertThat(problem.get("status").intValue()).as(problem.toString()).isEqualTo(status);
		assertThat(problem.get("detail").stringValue()).isEqualTo(reason);
	}

	@Test
	void instanceThatFreezesIsReported() throws IOException, InterruptedException {
		try (SampleProcess third = startSlowThird()) {
			CompletableFuture<JsonNode> answer = first.postAsync("/flash-sale?buyers=30&stock=30&guard=none");
			await().during(Duration.ofSeconds(1)).until(() -> !answer.isDone());
			third.freeze();
			assertThat(answer).succeedsWithin(LEASE).satisfies((sale) -> {
				assertThat(errors(sale)).containsExactly("The instance no longer gives a sign of life");
				assertThat(sale.get("failed").intValue()).isEqualTo(10);
			});
			third.kill();
		}
	}

	private static List<String> errors(JsonNode sale) {
		return sale.get("instances")
			.valueStream()
			.map((share) -> share.path("error"))
			.filter(JsonNode::isString)
			.map(JsonNode::stringValue)
			.toList();
	}

	/**
	 * Starts an instance whose run takes so long that it has not finished when the
	 * instance ends.
	 */
	private static SampleProcess startSlowThird() {
		SampleProcess third = SampleProcess.start(folder, REDIS_PORT, "--sample.think-time=60s");
		awaitRegistered(first, second, third);
		return third;
	}

	private static void awaitRegistered(SampleProcess... samples) {
		await().atMost(SampleProcess.START)
			.until(() -> Stream.of(samples).map(SampleProcess::instances).toList(),
					(seen) -> seen.stream().allMatch((instances) -> instances.size() == samples.length));
	}

}
