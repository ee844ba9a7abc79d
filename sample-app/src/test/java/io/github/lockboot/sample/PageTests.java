package io.github.lockboot.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

/**
 * The page in a browser, with the instances that the sample starts itself. Skipped if the
 * machine has no Chromium. With {@code -Dlockboot.screenshots=<folder>} it also writes
 * the pictures of the README.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
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
				"--server.port=" + (pictures ? "8080" : "0"));
		await().atMost(SampleProcess.START).until(() -> sample.instances().size() == Integer.parseInt(instances));
		browser.resize(1200, 900);
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
		assertThat(browser.evaluate("document.querySelector('#token').innerText").stringValue()).matches("\\d{19}");
	}

	@Test
	@Order(2)
	void codeIsThatOfTheSourceWithItsAnnotationLit() throws IOException {
		browser.awaitTrue("document.querySelector('.stage mark')");
		String annotation = browser.evaluate("document.querySelector('.stage mark').innerText").stringValue();
		assertThat(Files.readString(Path.of("src/main/java/io/github/lockboot/sample/checkout/Checkout.java")))
			.contains("\t" + annotation + "\n");
	}

	@Test
	@Order(3)
	void saleByKeyboardShowsItsVerdict() {
		browser.evaluate("document.querySelector('#sale input').focus()");
		browser.press("Tab");
		browser.press("Tab");
		browser.press("Enter");
		browser.awaitTrue("document.querySelectorAll('#sale-cards .verdict.good').length >= 3"
				+ " && !document.querySelector('#sale button').disabled");
		assertThat(browser.evaluate("document.querySelector('#sale-lock .verdict').innerText").stringValue())
			.isEqualTo("✓ Exactly right: 100 sold of 100");
		assertThat(browser.evaluate("document.querySelectorAll('.beside tbody tr').length").intValue())
			.isGreaterThanOrEqualTo(4);
	}

	@Test
	@Order(4)
	void frozenHolderIsToldOfItsLossAndRefusedByTheFence() throws IOException {
		browser.evaluate("document.querySelector('[data-fault=freeze-holder]').click()");
		browser.awaitTrue("document.querySelector('#log').innerText.includes('is told of its loss')");
		browser.awaitTrue("document.querySelector('#log').innerText.includes('is refused by the fence')");
		assertThat(browser.evaluate("document.querySelector('#stock').innerText").stringValue())
			.contains("nothing oversold");
	}

	@Test
	@Order(5)
	void killedHolderIsFollowedAfterItsLease() {
		browser.evaluate("document.querySelector('[data-fault=kill-holder]').click()");
		browser.awaitTrue("document.querySelector('#log').innerText.includes('holds the lock now')");
	}

	@Test
	@Order(6)
	void nothingIsWiderThanANarrowScreen() {
		browser.resize(390, 844);
		assertThat(browser.evaluate("document.documentElement.scrollWidth").intValue()).isEqualTo(390);
	}

	@Test
	@Order(7)
	void scriptsThrowNoErrors() {
		assertThat(browser.errors()).isEmpty();
	}

	@Test
	@Order(8)
	@EnabledIfSystemProperty(named = "lockboot.screenshots", matches = ".+")
	void picturesForTheReadme() throws IOException {
		browser.resize(1080, 800);
		browser.evaluate("document.querySelectorAll('details').forEach(details => details.open = false)");
		// the second time the JVMs are warm
		run("#sale .primary");
		run("#sale .primary");
		picture("sale.webp", "#sale-none", "#sale-lock");
		picture("beside.webp", "#sale-table", "#sale-table");
		await().atMost(Duration.ofMinutes(1)).pollDelay(Duration.ofSeconds(12)).until(() -> true);
		browser.evaluate("document.querySelector('#log').innerHTML = ''");
		browser.evaluate("document.querySelector('[data-fault=freeze-holder]').click()");
		browser.awaitTrue("document.querySelector('#log').innerText.includes('is refused by the fence')");
		await().pollDelay(Duration.ofSeconds(3)).until(() -> true);
		picture("live.webp", "header", "#log");
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
