package io.github.lockboot.sample;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

/**
 * The page in a browser, with the instances that the sample starts itself. Skipped if the
 * machine has no Chromium. With {@code -Dlockboot.screenshots=<folder>} it also writes
 * the pictures of the README.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
class PageTests {

	private static SampleProcess sample;

	private static Browser browser;

	@BeforeAll
	static void open(@TempDir Path data, @TempDir Path profile) {
		browser = Browser.start(profile)
			.orElseGet(() -> abort("The page is not tested: this machine has no chromium or google-chrome"));
		boolean pictures = System.getProperty("lockboot.screenshots") != null;
		String instances = pictures ? "3" : "2";
		sample = SampleProcess.start(data, SampleProcess.freePort(), "--sample.instances=" + instances,
				"--server.port=" + (pictures ? "8080" : "0"), "--sample.peers=true");
		await().atMost(SampleProcess.START).until(() -> sample.instances().size() == Integer.parseInt(instances));
		browser.resize(1280, 800);
		browser.open(sample.url());
	}

	@AfterAll
	static void close() {
		if (browser != null) {
			browser.close();
		}
		if (sample != null) {
			sample.close();
		}
	}

	@Test
	@Order(1)
	void lockMovesFromInstanceToInstanceWithoutAClick() {
		browser.awaitTrue("document.querySelectorAll('.lane').length >= 2");
		browser.awaitTrue("[...document.querySelectorAll('.lane svg')].every(lane => lane.querySelector('.held'))");
		browser.awaitTrue("document.querySelector('#stock').innerText.includes('nothing oversold')");
		assertThat(browser.evaluate("document.querySelector('#token').innerText").stringValue()).matches("…\\d+");
	}

	@Test
	@Order(1)
	void queueHasAPlaceForEachWaiterAndTheTimeOfAHandOver() {
		String places = "[...document.querySelectorAll('#queue i')].map(place => place.innerText).join()";
		browser.awaitTrue("/^holds(,1,2)/.test(" + places + ")");
		browser
			.awaitTrue("/^(< 1|\\d+) ms, median (< 1|\\d+) ms$/.test(document.querySelector('#handover').innerText)");
	}

	@Test
	@Order(1)
	void lanesOfAPageThatOpensShowWhatHappenedBefore() {
		// a section is only visible for 20 seconds, which a busy machine may need to draw
		await().atMost(Duration.ofMinutes(3)).ignoreExceptions().until(() -> {
			browser.open(sample.url());
			await().atMost(Duration.ofSeconds(15))
				.until(() -> browser
					.evaluate("[...document.querySelectorAll('.lane svg')]"
							+ ".some(lane => [...lane.querySelectorAll('.held')].some(held =>"
							+ " (1 - held.getAttribute('x') / lane.clientWidth) * 20000 > performance.now()))")
					.booleanValue());
			return true;
		});
	}

	@Test
	@Order(1)
	void noHoldIsShownAsLostBeforeItBegan() {
		for (int opened = 0; opened < 5; opened++) {
			browser.open(sample.url());
			browser.awaitTrue("[...document.querySelectorAll('.lane svg')].every(lane => lane.querySelector('.held'))");
			assertThat(browser
				.evaluate("[...document.querySelectorAll('.lane .over')].every(over => "
						+ "+over.previousSibling.getAttribute('x') <= +over.getAttribute('x') + 1)")
				.booleanValue()).isTrue();
		}
	}

	@Test
	@Order(1)
	void otherInstancesAndTheFooterFollowThePort() {
		int port = URI.create(sample.url()).getPort();
		assertThat(sample.instances()).extracting((url) -> URI.create(url).getPort())
			.allSatisfy((other) -> assertThat(other).isBetween(port, port + 100));
		assertThat(browser.evaluate("document.querySelector('footer').innerText").stringValue()).contains(sample.url());
	}

	@Test
	@Order(2)
	void codeBesideEachPanelIsThatOfTheSourceWithItsAnnotationLit() throws IOException {
		browser.awaitTrue("document.querySelectorAll('.card').length == 7 + 2");
		// all cards of a panel show their code, or none
		browser.evaluate("document.querySelectorAll('.cards').forEach(cards => "
				+ "cards.querySelector('details:last-child').open = true)");
		browser.awaitTrue("document.querySelectorAll('figure.code code').length == 1 + 7 + 2");
		for (JsonNode figure : browser.evaluate("[...document.querySelectorAll('figure.code')].map(figure => "
				+ "({ file: figure.querySelector('figcaption').innerText, code: figure.querySelector('code').innerText,"
				+ " lit: figure.querySelector('mark')?.innerText ?? '' }))")) {
			String code = figure.get("code").stringValue();
			assertThat(source(figure.get("file").stringValue())).contains(code);
			assertThat(figure.get("lit").stringValue()).isEqualTo(code.lines()
				.filter((line) -> line.matches("@(DistributedLock|RedisCache).*"))
				.findFirst()
				.orElse(""));
		}
		assertThat(browser.evaluate("document.querySelectorAll('#live mark, .card mark').length").intValue())
			.isEqualTo(3);
	}

	/**
	 * Return a source of the sample with the indentation that its methods have on the
	 * page.
	 */
	private static String source(String name) throws IOException {
		try (Stream<Path> files = Files.walk(Path.of("src"))) {
			Path file = files.filter((path) -> path.endsWith(name)).findFirst().orElseThrow();
			return Files.readString(file).replaceAll("(?m)^\t", "").replace("\t", "  ");
		}
	}

	@Test
	@Order(3)
	void saleByKeyboardShowsItsVerdict() {
		browser.awaitTrue("document.querySelector('#sale-cards').childElementCount == 7");
		// few, because some of the guards poll
		browser.evaluate("document.querySelector('#sale [name=buyers]').value = 30");
		browser.evaluate("document.querySelector('#sale [name=stock]').value = 10");
		browser.evaluate("window.shown = ''; new MutationObserver(() => "
				+ "shown += document.querySelector('#sale-none .result').innerText)"
				+ ".observe(document.querySelector('#sale-none .result'), { childList: true })");
		browser.evaluate("document.querySelector('#sale input').focus()");
		browser.press("Tab");
		browser.press("Tab");
		assertThat(browser.evaluate("getComputedStyle(document.activeElement).outlineStyle").stringValue())
			.isEqualTo("solid");
		browser.press("Enter");
		browser.awaitTrue("document.querySelectorAll('#sale-cards .verdict.good, #sale-cards .verdict.bad').length == 7"
				+ " && !document.querySelector('#sale button').disabled");
		assertThat(browser.evaluate("document.querySelector('#sale-lock .verdict').innerText").stringValue())
			.isEqualTo("✓ Exactly right: 10 sold of 10");
		assertThat(browser.evaluate("shown").stringValue()).startsWith("Warming up …Running …");
	}

	@Test
	@Order(4)
	void allGuardsAreSideBySideOnTheSameTimeAxis() {
		assertThat(browser
			.evaluate("[...document.querySelectorAll('.beside tbody tr')].every(row => "
					+ "[1, 2, 3, 4].every(cell => /\\d/.test(row.cells[cell].innerText)))")
			.booleanValue()).isTrue();
		assertThat(
				browser.evaluate("[...document.querySelectorAll('.beside td:first-child')].map(cell => cell.innerText)")
					.valueStream()
					.map(JsonNode::stringValue))
			.hasSize(7)
			.contains("With Redisson's RLock", "With Spring Integration's RedisLockRegistry",
					"With Lock4j's LockTemplate");
		assertThat(browser
			.evaluate("new Set([...document.querySelectorAll('#sale-cards .plot svg')].map(plot => "
					+ "[...plot.querySelectorAll('text[text-anchor=middle]')].at(-1).textContent)).size")
			.intValue()).isEqualTo(1);
	}

	@Test
	@Order(6)
	void saleIsDrawnWhileItRuns() {
		browser.evaluate("window.drawn = 0; new MutationObserver(() => "
				+ "drawn += document.querySelectorAll('#sale-lock .verdict:not(.good) ~ .facts').length"
				+ " && document.querySelectorAll('#sale-lock .plot g path[d]:not([d=\"\"])').length)"
				+ ".observe(document.querySelector('#sale-lock .plot'), { childList: true })");
		browser.evaluate("document.querySelector('#sale').reset()");
		run("#sale-lock button");
		assertThat(browser.evaluate("drawn").intValue()).isPositive();
		assertThat(browser.evaluate("document.querySelector('#sale-lock .plot').innerText").stringValue())
			.contains("100 sold", "0 in stock");
	}

	@Test
	@Order(5)
	void failedRunClearsItsOldResultAndSaysWhyOnItsCard() {
		browser.evaluate("document.querySelector('#sale [name=stock]').removeAttribute('max')");
		browser.evaluate("document.querySelector('#sale [name=stock]').value = 6000");
		run("#sale-lock button");
		assertThat(browser.evaluate("document.querySelector('#sale-lock .result').innerText").stringValue())
			.contains("Not run", "'stock' must be between 0 and 5000 but is 6000")
			.doesNotContain("sold");
		assertThat(browser.evaluate("document.querySelector('#sale-lock .plot').innerHTML").stringValue()).isEmpty();
		browser.evaluate("document.querySelector('#sale [name=stock]').value = 20");
	}

	@Test
	@Order(7)
	@DisabledIfSystemProperty(named = "lockboot.screenshots", matches = ".+")
	void anotherInstanceIsStartedByAButton() {
		press("[data-instance]");
		browser.awaitTrue("document.querySelector('#log').innerText.includes('Another instance starts')");
		browser.awaitTrue("document.querySelectorAll('.lane .held').length > 0"
				+ " && [...document.querySelectorAll('.lane')].filter(lane => lane.querySelector('.held')).length >= 3");
	}

	@Test
	@Order(8)
	void frozenHolderLearnsOfItsLossAndItsLateWriteIsRefusedByTheDatabase() {
		press("[data-fault=freeze-holder]");
		browser.awaitTrue("/frozen, \\d+ s/.test(document.querySelector('#lanes').innerText)");
		browser.awaitTrue("document.querySelector('#log').innerText.includes('learns that it has lost the lock')");
		browser.awaitTrue(
				"/The database refuses the late write of .*: a later holder, whose fencing token is .*, was admitted/"
						+ ".test(document.querySelector('#log').innerText)");
		browser.awaitTrue("document.querySelector('.lane path.refused')");
		assertThatNothingIsOversold();
	}

	@Test
	@Order(9)
	void killedHolderIsFollowedAfterItsLease() {
		press("[data-fault=kill-holder]");
		browser.awaitTrue("/restarting, \\d+ s/.test(document.querySelector('#lanes').innerText)");
		browser.awaitTrue("/holds the lock now, .* after the fault: the lease of .* has run out/"
				+ ".test(document.querySelector('#log').innerText)");
		assertThatNothingIsOversold();
	}

	@ParameterizedTest
	@Order(10)
	@CsvSource({ "kill-redis, 'kill -9 Redis'", "freeze-redis, Redis is frozen",
			"cut-connections, Redis has closed all connections" })
	void allInstancesWaitForRedisAndGoOn(String fault, String told) {
		press("[data-fault=" + fault + "]");
		browser.awaitTrue("document.querySelector('#log').innerText.includes('" + told + "')");
		browser.awaitTrue("document.querySelector('#log').innerText.includes('all instances go on')");
		assertThatNothingIsOversold();
	}

	private static void press(String button) {
		browser.awaitTrue("!document.querySelector('" + button + "').disabled");
		browser.evaluate("document.querySelector('#log').innerHTML = ''");
		browser.evaluate("document.querySelector('" + button + "').click()");
	}

	private static void assertThatNothingIsOversold() {
		assertThat(browser.evaluate("document.querySelector('#stock').innerText").stringValue())
			.contains("nothing oversold");
	}

	@Test
	@Order(11)
	void nothingIsWiderThanANarrowScreenAndTheLanesAreAboveTheCode() {
		browser.resize(390, 844);
		assertThat(browser
			.evaluate(
					"document.querySelector('#live .code').offsetTop" + " - document.querySelector('#lanes').offsetTop")
			.intValue()).isPositive();
		browser.evaluate("document.querySelectorAll('details').forEach(details => details.open = true)");
		assertThat(browser.evaluate("document.documentElement.scrollWidth").intValue()).isEqualTo(390);
		assertThat(browser
			.evaluate("[...document.querySelectorAll('.code pre')].every(code => code.scrollWidth <= code.clientWidth)")
			.booleanValue()).isTrue();
	}

	@Test
	@Order(14)
	void scriptsThrowNoErrors() {
		assertThat(browser.errors()).isEmpty();
	}

	@Test
	@Order(15)
	@EnabledIfSystemProperty(named = "lockboot.screenshots", matches = ".+")
	void picturesForTheReadme() throws IOException {
		await().atMost(SampleProcess.START).until(() -> sample.instances().size() == 3);
		browser.resize(1120, 800);
		browser.awaitTrue("document.querySelector('#sale-cards').childElementCount == 7");
		browser.evaluate("document.querySelectorAll('details').forEach(details => details.open = false)");
		browser.evaluate("document.querySelector('#sale').reset()");
		// the second time the JVMs are warm
		run("#sale .primary");
		run("#sale .primary");
		picture("sale.webp", "#sale-none", "#sale-lock");
		picture("beside.webp", ".beside", "#sale-table");
		await().atMost(Duration.ofMinutes(1)).pollDelay(Duration.ofSeconds(12)).until(() -> true);
		browser.evaluate("document.querySelector('#log').innerHTML = ''");
		browser.evaluate("document.querySelector('[data-fault=freeze-holder]').click()");
		browser.awaitTrue("document.querySelector('#log').innerText.includes('The database refuses')");
		await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
		picture("live.webp", "header", ".break");
	}

	private static void run(String button) {
		browser.evaluate("document.querySelector('" + button + "').click()");
		browser.awaitTrue("!document.querySelector('" + button + "').disabled");
	}

	private static void picture(String name, String first, String last) throws IOException {
		Path folder = Files.createDirectories(Path.of(System.getProperty("lockboot.screenshots")));
		Files.write(folder.resolve(name), browser.screenshot(first, last));
	}

}
