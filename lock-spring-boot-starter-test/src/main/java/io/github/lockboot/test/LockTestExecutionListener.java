package io.github.lockboot.test;

import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/**
 * Lets each test begin with an empty journal and with no lock in the hands of another
 * node, also where tests share an application.
 */
final class LockTestExecutionListener implements TestExecutionListener, Ordered {

	/** Before the listener of Spring that closes contexts, in the order of its ends. */
	@Override
	public int getOrder() {
		return 5000;
	}

	@Override
	public void beforeTestMethod(TestContext test) {
		cleanUp(test);
	}

	@Override
	public void afterTestMethod(TestContext test) {
		cleanUp(test);
	}

	private static void cleanUp(TestContext test) {
		if (test.hasApplicationContext()) {
			ApplicationContext application = test.getApplicationContext();
			application.getBeanProvider(OtherNode.class).forEach(OtherNode::releaseAll);
			application.getBeanProvider(LockJournal.class).forEach(LockJournal::clear);
		}
	}

}
