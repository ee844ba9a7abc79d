package io.github.lockboot.sample;

import java.nio.file.Path;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

/**
 * The page in a browser, with the instances that the sample starts itself. Skipped if the
 * machine has no Chromium.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class SamplePage {

	static SampleProcess sample;

	static Browser browser;

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
		browser.awaitTrue("document.querySelectorAll('.lane .held').length > 0");
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

}
