package io.github.lockboot.sample;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What the page shows of faults, which its buttons inject. */
@DisabledIfSystemProperty(named = "lockboot.screenshots", matches = ".+")
class PageFaultsTests extends SamplePage {

	@Test
	@Order(1)
	void anotherInstanceIsStartedByAButton() {
		press("[data-instance]");
		browser.awaitTrue("document.querySelector('#log').innerText.includes('Another instance starts')");
		browser.awaitTrue("document.querySelectorAll('.lane .held').length > 0"
				+ " && [...document.querySelectorAll('.lane')].filter(lane => lane.querySelector('.held')).length >= 3");
	}

	@Test
	@Order(2)
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
	@Order(3)
	void killedHolderIsFollowedAfterItsLease() {
		press("[data-fault=kill-holder]");
		browser.awaitTrue("/restarting, \\d+ s/.test(document.querySelector('#lanes').innerText)");
		browser.awaitTrue("/holds the lock now, .* after the fault: the lease of .* has run out/"
				+ ".test(document.querySelector('#log').innerText)");
		assertThatNothingIsOversold();
	}

	@ParameterizedTest
	@Order(4)
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

}
